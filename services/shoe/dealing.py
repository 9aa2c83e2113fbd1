"""Cards out of the shoe: burns, the cut card, the first four, the draws, the shoe's end (articles 2 to 9)."""

from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import Final, NamedTuple

from schemas import facts
from schemas.cards import POINTS, Side
from schemas.codec import Caused, Entry
from schemas.events import RoundFact
from schemas.house_rules import HouseRules, face_value
from services.shoe.evolution import evolve
from services.shoe.state import FAILED, BooksSettled, CardsDue, Round, Shoe, State, Waiting

# Article 7: one at a time, Player first.
FIRST_FOUR: Final[tuple[Side, ...]] = ("player", "banker", "player", "banker")
# Article 3: a round never starts that the shoe cannot finish.
ROUND_CARDS_MAX: Final = 6


class Pulled(NamedTuple):
    """A card that may be dealt; `place` is the scan that waited for it, if another than the step's entry."""

    number: int
    card: str
    face_up: bool = False
    place: str | None = None


def burned_at_load(rules: HouseRules, drawn: tuple[str, ...]) -> tuple[int, str | None]:
    """How many cards a virtual shoe's start burns, and the one that is turned (article 2)."""
    match rules.burn:
        case "deck_count":
            return rules.decks, None
        case "fixed":
            return rules.burn_fixed, None
        case "none":
            return 0, None
        case "first_card":
            value = face_value(rules, drawn[0])
            return (max(1, value) if rules.burn_includes_indicator else 1 + value), drawn[0]


def books_close_for(state: State, closed: facts.BettingClosed) -> bool:
    """Whether this close is the present round's: it may have been made void or misdealt meanwhile."""
    return _is_present(state, closed, "betting")


def call_fits(state: State, call: facts.DrawCalled | facts.RoundDecided) -> bool:
    """Whether a call was made from all the cards of the present round; any other is dropped in silence."""
    if not _is_present(state, call, "calling"):
        return False
    return state.round_in_play.card_facts == call.through


def _is_present(state: State, fact: RoundFact, phase: str) -> bool:
    shoe = state.shoe
    return (
        shoe is not None
        and not shoe.ended
        and shoe.number == fact.shoe_number
        and shoe.round is not None
        and shoe.round.number == fact.round_number
        and shoe.round.phase == phase
    )


def deal_due(state: State, entry: Entry, sides: tuple[Side, ...], drawn: tuple[str, ...]) -> list[object]:
    """These sides get cards: a virtual shoe's at once, a physical one's as far as they are out."""
    shoe = state.shoe_in_play
    if shoe.kind == "physical":
        return [CardsDue(sides), *deal_waiting(state, entry, sides, state.round_in_play.waiting)]
    assert len(drawn) >= len(sides), "the shell draws what cards_wanted says"
    pulled = [Pulled(number, card) for number, card in enumerate(drawn, shoe.next_ordinal)]
    return [CardsDue(sides), *_deal(state, sides, pulled)]


def deal_waiting(state: State, entry: Entry, sides: tuple[Side, ...], queue: tuple[Waiting, ...]) -> list[object]:
    """These sides get the cards of a physical shoe that wait, up to the first whose scan failed."""
    ready = takewhile(lambda waiting: waiting.face != FAILED, queue)
    pulled = [
        Pulled(card.ordinal, card.face, card.face_up, None if card.place == entry.place else card.place)
        for card in ready
    ]
    return list(_deal(state, sides, pulled))


def _deal(state: State, sides: tuple[Side, ...], pulled: Sequence[Pulled]) -> Iterator[object]:
    shoe, played = state.shoe_in_play, state.round_in_play
    in_hand = {"player": played.player, "banker": played.banker}
    cut_card_seen = False
    for side, (number, card, face_up, place) in zip(sides, pulled, strict=False):
        in_hand[side] += 1
        if not cut_card_seen and (reached := cut_card_before(state, number, played)):
            cut_card_seen = True
            yield from reached
        card_facts: list[RoundFact] = []
        if face_up:
            card_facts.append(
                facts.CardFoundFaceUp(
                    table=state.table, shoe_number=shoe.number, round_number=played.number, card_number=number
                )
            )
        card_facts.append(
            facts.CardDealt(
                table=state.table,
                shoe_number=shoe.number,
                round_number=played.number,
                card_number=number,
                side=side,
                position=in_hand[side],
                card=card,
                points=POINTS[card],
            )
        )
        yield from card_facts if place is None else [Caused(fact, place) for fact in card_facts]


def cut_card_before(state: State, number: int, played: Round) -> list[facts.CutCardReached]:
    """The cut card, if it lay before the card `number` that is pulled in this round and was not seen yet (article 3).

    Come out before the round's first card (burned ones are none of its cards), the house says what it counts as.
    """
    shoe, rules = state.shoe_in_play, state.rules_in_force
    if shoe.cut_card is None or shoe.last_round is not None or number < shoe.cut_card:
        return []
    is_last = rules.cut_card_first_counts == "last" and shoe.cut_card <= played.hands_from
    return [
        facts.CutCardReached(
            table=state.table,
            shoe_number=shoe.number,
            round_number=played.number,
            card_number=shoe.cut_card,
            last_round=played.number + (0 if is_last else rules.rounds_after_cut_card),
        )
    ]


def end_round(state: State, decided: facts.RoundDecided) -> list[object]:
    """The round ends as decided; a card of a physical shoe that still waits is in no hand."""
    shared = {field: getattr(decided, field) for field in facts.RoundEnded.__struct_fields__}
    surplus = [misdeal(state, waiting.ordinal, "surplus_card", None) for waiting in state.round_in_play.waiting]
    return [facts.RoundEnded(**shared), *surplus]


def misdeal(state: State, ordinal: int, reason: str, round_number: int | None) -> facts.MisdealDetected:
    """A physical card that no hand takes; with a round's number that round waits for the console."""
    shoe = state.shoe_in_play
    return facts.MisdealDetected(
        table=state.table,
        shoe_number=shoe.number,
        round_number=round_number,
        ordinal=ordinal,
        expected_ordinal=shoe.next_ordinal,
        reason=reason,
    )


def settle(state: State, settled: facts.RoundSettled) -> list[object]:
    """The round's books are closed: the shoe may end."""
    if not _is_present(state, settled, "over"):
        return []
    note = BooksSettled()
    return [note, *end_finished_shoe(evolve(state, note))]


def end_finished_shoe(state: State) -> list[object]:
    """The shoe's end between rounds, when its last round is over or the cards are too few for another."""
    shoe, rules = state.shoe_in_play, state.rules_in_force
    if shoe.last_round is not None and shoe.round_number >= shoe.last_round:
        return [shoe_ended(state, "cut_card")]
    if state.cards_left < ROUND_CARDS_MAX + rules.burn_each_round:
        return [shoe_ended(state, "too_few_cards")]
    return []


def shoe_ended(state: State, reason: str) -> facts.ShoeEnded:
    """The end of the shoe in play, with the count of its cards."""
    shoe: Shoe = state.shoe_in_play
    return facts.ShoeEnded(
        table=state.table,
        shoe_number=shoe.number,
        reason=reason,
        rounds=shoe.round_number,
        dealt=shoe.dealt,
        burned_seen=shoe.burned_seen,
        burned_unseen=shoe.burned_unseen,
        surplus=shoe.surplus,
        left=state.cards_left,
    )
