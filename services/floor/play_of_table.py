"""The cards of one table, computed from the facts of `cards` and `calls`. Pure.

The demo's dealer decides by them, and the view draws them. `books_of_table.py` does the same for the facts of `bets`.
"""

from typing import Final, Literal

import msgspec
from msgspec.structs import replace

from schemas import facts
from schemas.cards import Result, total
from schemas.events import Event, RoundFact
from schemas.house_rules import HouseRules
from schemas.limits import Limits

# Two full bead plates of six rows. Older results would not be drawn.
BEADS_MAX: Final = 240


class Bead(msgspec.Struct, frozen=True):
    """One ended round of the shoe, on the bead plate."""

    round_number: int
    result: Result
    player_pair: bool
    banker_pair: bool


class Play(msgspec.Struct, frozen=True):
    """The cards of one table, and under which rules and limits they are dealt.

    `openings`: how often the table was opened. `refusals`: how many requests the shoe service has refused. `limits`:
    those in force; `limits_to_come` are in force from the next round on. `call`: the call that stands, if any.
    """

    table: str
    is_open: bool = False
    openings: int = 0
    refusals: int = 0
    rules: HouseRules | None = None
    limits: Limits | None = None
    limits_to_come: Limits | None = None
    decks: int = 0
    cut_card_depth: int = 0
    shoe_number: int = 0
    shoe_runs: bool = False
    cards_left: int = 0
    round_number: int = 0
    round_is: Literal["none", "open", "ended", "voided"] = "none"
    last_round: bool = False
    player: tuple[str, ...] = ()
    banker: tuple[str, ...] = ()
    call: facts.DrawCalled | facts.RoundDecided | None = None
    result: Result | None = None
    natural: bool = False
    beads: tuple[Bead, ...] = ()

    @property
    def round(self) -> tuple[int, int]:
        """The round that these cards are of: its shoe's number and its own."""
        return self.shoe_number, self.round_number

    @property
    def shuffled_every_round(self) -> bool:
        """Whether all cards go back after every round, so that no shoe runs out."""
        return self.rules is not None and self.rules.dealing != "shoe"

    @property
    def bets(self) -> tuple[str, ...]:
        """The bets that the table offers: those that its rules and its limits both have."""
        if self.rules is None or self.limits is None:
            return ()
        return tuple(dict.fromkeys(bet.name for bet in self.rules.bets if bet.name in self.limits.bets))

    @property
    def player_total(self) -> int:
        """The Player's total so far."""
        return total(self.player)

    @property
    def banker_total(self) -> int:
        """The Banker's total so far."""
        return total(self.banker)


def play_after(play: Play, event: Event) -> Play:
    """The cards after a fact of `cards` or `calls`."""
    match event:
        case facts.TableOpened(house_rules=rules, limits=limits):
            play = replace(play, is_open=True, openings=play.openings + 1, decks=rules.decks)
            return replace(play, rules=rules, limits=limits, limits_to_come=limits)
        case facts.HouseRulesChanged(house_rules=rules):
            return replace(play, rules=rules)
        case facts.LimitsChanged(limits=limits):
            return replace(play, limits_to_come=limits)
        case facts.TableClosed():
            return replace(play, is_open=False)
        case facts.RequestRefused():
            return replace(play, refusals=play.refusals + 1)
        case facts.ShoeStarted():
            return _shoe_started(play, event)
        case facts.ShoeEnded():
            return replace(play, shoe_runs=False, round_is="none", last_round=False, call=None)
        case facts.RoundOpened():
            return replace(
                play,
                shoe_number=event.shoe_number,
                round_number=event.round_number,
                round_is="open",
                last_round=event.last_round,
                cards_left=event.cards_left,
                limits=play.limits_to_come,
                player=(),
                banker=(),
                call=None,
                result=None,
                natural=False,
            )
        case facts.CutCardReached():
            return replace(play, last_round=event.last_round <= event.round_number)
        case facts.CardDealt():
            return _card_dealt(play, event)
        case facts.RoundEnded():
            return _round_ended(play, event)
        case facts.RoundVoided():
            beads = tuple(bead for bead in play.beads if not _is_of(bead, play, event))
            play = replace(play, beads=beads)
            return replace(play, round_is="voided", call=None) if play.round == _round_of(event) else play
        case facts.DrawCalled() | facts.RoundDecided():
            # A reader of two streams may meet the call of a round after that round's end.
            return replace(play, call=event) if play.round == _round_of(event) else play
        case _:
            return play


def _shoe_started(play: Play, event: facts.ShoeStarted) -> Play:
    return replace(
        play,
        shoe_number=event.shoe_number,
        shoe_runs=True,
        decks=event.decks,
        cut_card_depth=event.cut_card_depth,
        cards_left=52 * event.decks - event.burned,
        round_number=0,
        round_is="none",
        last_round=False,
        player=(),
        banker=(),
        call=None,
        result=None,
        natural=False,
        beads=(),
    )


def _round_ended(play: Play, event: facts.RoundEnded) -> Play:
    """The cards after a result. It may be a correction, and then of an earlier round too."""
    bead = Bead(event.round_number, event.result, event.player_pair, event.banker_pair)
    beads = play.beads
    if any(_is_of(known, play, event) for known in beads):
        beads = tuple(bead if _is_of(known, play, event) else known for known in beads)
    elif event.revision == 0 and not (
        event.demonstration and play.rules and not play.rules.demonstration_on_scoreboard
    ):
        beads = (*beads, bead)[-BEADS_MAX:]
    play = replace(play, beads=beads)
    if play.round != _round_of(event):
        return play
    return replace(
        play,
        round_is="ended",
        player=event.player_cards,
        banker=event.banker_cards,
        result=event.result,
        natural=event.natural,
    )


def _shows_demonstrations(play: Play) -> bool:
    return play.rules is None or play.rules.demonstration_on_scoreboard


def _is_of(bead: Bead, play: Play, event: RoundFact) -> bool:
    """Whether a bead is of the round that a fact is about. All beads are of the shoe in play."""
    return (play.shoe_number, bead.round_number) == _round_of(event)


def _round_of(event: RoundFact) -> tuple[int, int]:
    return event.shoe_number, event.round_number


def _card_dealt(play: Play, event: facts.CardDealt) -> Play:
    # A held card has no face yet. It is shown when the round has ended.
    if event.card is None:
        return replace(play, cards_left=play.cards_left - 1, call=None)
    left = play.cards_left - 1
    if event.side == "player":
        return replace(play, player=(*play.player, event.card), cards_left=left, call=None)
    return replace(play, banker=(*play.banker, event.card), cards_left=left, call=None)
