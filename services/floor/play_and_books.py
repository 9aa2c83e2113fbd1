"""What a reader of the facts knows of each table. Pure: the demo's dealer decides by it and the view draws it.

`Play` is folded from `cards` and `calls`, `Books` from `bets`. They stay apart because nothing orders two streams: a
reader may be a round further in one than in the other, so each names the round that it is about.
"""

from typing import Literal

import msgspec
from msgspec.structs import replace

from schemas import facts
from schemas.cards import Result, total
from schemas.events import Event, RoundFact

# Two full bead plates of six rows; older results would not be drawn.
BEADS_MAX = 240


class Bead(msgspec.Struct, frozen=True):
    """One ended round on the bead plate."""

    result: Result
    player_pair: bool
    banker_pair: bool


class Play(msgspec.Struct, frozen=True):
    """The cards of one table. `openings` and `refusals` count facts; `call` is the call that stands, if any."""

    table: str
    is_open: bool = False
    openings: int = 0
    refusals: int = 0
    house_rules: str = ""
    currency: str = ""
    decks: int = 0
    cut_card_depth: int = 0
    shuffled_every_round: bool = False
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
        """The round these cards belong to: the shoe's number and the round's."""
        return self.shoe_number, self.round_number

    @property
    def player_total(self) -> int:
        """The Player's total so far."""
        return total(self.player)

    @property
    def banker_total(self) -> int:
        """The Banker's total so far."""
        return total(self.banker)


class Stake(msgspec.Struct, frozen=True):
    """A stake on the layout."""

    bet: str
    amount_minor: int


class Books(msgspec.Struct, frozen=True):
    """The stakes of one table's round. `answered` counts its wagers that got an answer, `rounds` all settled rounds."""

    table: str
    shoe_number: int = 0
    round_number: int = 0
    books_are: Literal["open", "closed", "settled"] = "settled"
    answered: int = 0
    refusals: int = 0
    rounds: int = 0
    stakes: dict[str, Stake] = {}
    totals_minor: dict[str, int] = {}
    returns_minor: dict[str, int] = {}
    carried: bool = False
    settled: facts.RoundSettled | None = None

    @property
    def round(self) -> tuple[int, int]:
        """The round these books belong to: the shoe's number and the round's."""
        return self.shoe_number, self.round_number


def play_after(play: Play, event: Event) -> Play:
    """The cards of the table after a fact of `cards` or `calls`."""
    match event:
        case facts.TableOpened(house_rules=rules, limits=limits):
            return replace(
                play,
                is_open=True,
                openings=play.openings + 1,
                house_rules=rules.name,
                currency=limits.currency,
                decks=rules.decks,
                shuffled_every_round=rules.dealing != "shoe",
            )
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
            bead = Bead(event.result, event.player_pair, event.banker_pair)
            return replace(
                play,
                round_is="ended",
                player=event.player_cards,
                banker=event.banker_cards,
                result=event.result,
                natural=event.natural,
                beads=(*play.beads, bead)[-BEADS_MAX:],
            )
        case facts.RoundVoided():
            return replace(play, round_is="voided", call=None)
        case facts.DrawCalled() | facts.RoundDecided():
            # A reader of two streams may meet the call of a round that it already saw end.
            return replace(play, call=event) if play.round == (event.shoe_number, event.round_number) else play
        case _:
            return play


def books_after(books: Books, event: Event) -> Books:
    """The books of the table after a fact of `bets`."""
    match event:
        case facts.BetAccepted() | facts.BetChanged():
            books = _turned_to(books, event)
            stakes = {**books.stakes, event.bet_id: Stake(event.bet, event.amount_minor)}
            return _with_stakes(replace(books, answered=books.answered + 1), stakes)
        case facts.BetCancelled():
            books = _turned_to(books, event)
            return _with_stakes(replace(books, answered=books.answered + 1), _without(books.stakes, event.bet_id))
        case facts.BetRejected():
            # A late bet may name a round that is over: it turns no page back.
            if (event.shoe_number, event.round_number) < books.round:
                return books
            books = _turned_to(books, event)
            return replace(books, answered=books.answered + 1)
        case facts.RequestRefused():
            return replace(books, refusals=books.refusals + 1)
        case facts.BettingClosed():
            books = _turned_to(books, event)
            return replace(books, books_are="closed", totals_minor=event.totals)
        case facts.StakeReduced():
            stake = books.stakes.get(event.bet_id)
            kept = Stake(stake.bet if stake else "", event.after_minor)
            return _with_stakes(books, {**books.stakes, event.bet_id: kept})
        case facts.StakeReturned():
            return _with_stakes(books, _without(books.stakes, event.bet_id))
        case facts.BetsSettled():
            return _bets_settled(_turned_to(books, event), event)
        case facts.RoundSettled():
            books = _turned_to(books, event)
            return replace(books, books_are="settled", settled=event, rounds=books.rounds + (event.revision == 0))
        case _:
            return books


def is_settled(play: Play, books: Books) -> bool:
    """Whether nothing of the table's round is open any more, as far as both streams were read."""
    return play.round_number == 0 or (books.books_are == "settled" and books.round >= play.round)


def betting_is_open(play: Play, books: Books) -> bool:
    """Whether the table's round still takes bets."""
    if play.round_is != "open":
        return False
    return books.round < play.round or (books.round == play.round and books.books_are == "open")


def books_of_round(books: Books, shoe_number: int, round_number: int) -> Books:
    """The books of a round that begins: carried stakes stay on the layout, all else starts anew."""
    fresh = replace(
        books,
        shoe_number=shoe_number,
        round_number=round_number,
        books_are="open",
        answered=0,
        returns_minor={},
        carried=False,
        settled=None,
    )
    return _with_stakes(fresh, books.stakes)


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


def _card_dealt(play: Play, event: facts.CardDealt) -> Play:
    # A held card has no face yet; this view has no holder, so it waits for the round's end.
    if event.card is None:
        return replace(play, cards_left=play.cards_left - 1, call=None)
    left = play.cards_left - 1
    if event.side == "player":
        return replace(play, player=(*play.player, event.card), cards_left=left, call=None)
    return replace(play, banker=(*play.banker, event.card), cards_left=left, call=None)


def _turned_to(books: Books, event: RoundFact) -> Books:
    if books.round == (event.shoe_number, event.round_number):
        return books
    return books_of_round(books, event.shoe_number, event.round_number)


def _with_stakes(books: Books, stakes: dict[str, Stake]) -> Books:
    totals: dict[str, int] = {}
    for stake in stakes.values():
        totals[stake.bet] = totals.get(stake.bet, 0) + stake.amount_minor
    return replace(books, stakes=stakes, totals_minor=totals)


def _without(stakes: dict[str, Stake], bet_id: str) -> dict[str, Stake]:
    return {other: stake for other, stake in stakes.items() if other != bet_id}


def _bets_settled(books: Books, event: facts.BetsSettled) -> Books:
    """The totals stay as they were bet, for the eye; only what is carried stays on the layout."""
    stakes = dict(books.stakes)
    returns = dict(books.returns_minor)
    for bet in event.bets:
        returns[bet.bet] = returns.get(bet.bet, 0) + bet.return_minor
        if not bet.carried:
            stakes.pop(bet.bet_id, None)
    carried = books.carried or any(bet.carried for bet in event.bets)
    return replace(books, stakes=stakes, returns_minor=returns, carried=carried)
