"""Cards out of the shoe: burns, the cut card, the first four, the draws, the shoe's end (articles 2 to 9)."""

from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import Final

from schemas import facts
from schemas.cards import CARDS, POINTS, Side
from schemas.codec import Entry
from schemas.events import RoundFact
from schemas.house_rules import HouseRules, face_value
from services.decider.outcome import LateAnswer
from services.shoe.decisions.suspecting import suspicions
from services.shoe.table.evolve import evolve
from services.shoe.table.notes import BooksClosed, BooksSettled, CardsDue, CardsStay, FaceKept
from services.shoe.table.state import FAILED, NO_CARD, Holding, Phase, Round, RoundCard, Shoe, State

# Article 7: one at a time, Player first.
FIRST_FOUR: Final[tuple[Side, ...]] = ("player", "banker", "player", "banker")
# Article 3: a round never starts that the shoe cannot finish.
ROUND_CARDS_MAX: Final = 6


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


def evolved(state: State, outcomes: Sequence[object]) -> State:
    """The state behind outcomes that are decided and not yet taken."""
    for outcome in outcomes:
        state = evolve(state, outcome.fact if isinstance(outcome, LateAnswer) else outcome)
    return state


def books_close_for(state: State, closed: facts.BettingClosed) -> bool:
    """Whether cards are due behind this close: its round may have been made void or misdealt meanwhile."""
    return _is_present(state, closed, ("betting",))


def close_books(state: State, entry: Entry, closed: facts.BettingClosed, drawn: tuple[str, ...]) -> list[object]:
    """The first four cards are due, or will be when a misdealt round is put right; who may open them is known."""
    if not _is_present(state, closed, ("betting", "misdealt")):
        return []
    holding = None
    if state.rules_in_force.holding:
        holding = Holding(
            closed.player_holder,
            closed.banker_holder,
            tuple(seat.bettor_id for seat in closed.player_seats),
            tuple(seat.bettor_id for seat in closed.banker_seats),
        )
    note = BooksClosed(holding)
    if not books_close_for(state, closed):
        return [note]
    return [note, *deal_due(evolve(state, note), entry, FIRST_FOUR, drawn)]


def call_fits(state: State, call: facts.DrawCalled | facts.RoundDecided) -> bool:
    """Whether a call was made from all the cards of the present round; any other is dropped in silence."""
    if not _is_present(state, call, ("calling",)):
        return False
    return state.round_in_play.card_facts == call.through


def _is_present(state: State, fact: RoundFact, phases: Sequence[Phase]) -> bool:
    shoe = state.shoe
    return (
        shoe is not None
        and not shoe.ended
        and shoe.number == fact.shoe_number
        and shoe.at_work is not None
        and shoe.at_work.number == fact.round_number
        and shoe.at_work.phase in phases
    )


def deal_due(state: State, entry: Entry, sides: tuple[Side, ...], drawn: tuple[str, ...]) -> list[object]:
    """These sides get cards, unless the table is held: then they stay due until it is released."""
    due = CardsDue(sides)
    return [due] if state.held else [due, *deal_now(state, entry, sides, drawn)]


def deal_now(state: State, entry: Entry, sides: tuple[Side, ...], drawn: tuple[str, ...]) -> list[object]:
    """These sides get cards: a virtual shoe's at once, a physical one's as far as they are out."""
    shoe = state.shoe_in_play
    if shoe.kind == "physical":
        return deal_waiting(state, entry, sides, state.round_in_play.waiting)
    assert len(drawn) >= len(sides), "the shell draws what cards_wanted says"
    pulled = [RoundCard(number, card) for number, card in enumerate(drawn, shoe.next_ordinal)]
    return list(_deal(state, entry, sides, pulled))


def deal_waiting(state: State, entry: Entry, sides: tuple[Side, ...], queue: tuple[RoundCard, ...]) -> list[object]:
    """These sides get the cards of a physical shoe that wait, up to the first whose scan failed."""
    ready = list(takewhile(lambda card: card.face != FAILED, queue))
    return list(_deal(state, entry, sides, ready))


def _deal(state: State, entry: Entry, sides: tuple[Side, ...], pulled: Sequence[RoundCard]) -> Iterator[object]:
    played = state.round_in_play
    in_hand = {"player": played.player, "banker": played.banker}
    cut_card_seen = False
    for side, card in zip(sides, pulled, strict=False):
        in_hand[side] += 1
        if not cut_card_seen and (reached := cut_card_before(state, card.number, played)):
            cut_card_seen = True
            yield from reached
        for outcome in placed(state, card, side, in_hand[side]):
            if isinstance(outcome, RoundFact) and card.place not in ("", entry.place):
                yield LateAnswer(outcome, card.place)
            else:
                yield outcome


def placed(state: State, card: RoundCard, side: Side, position: int) -> Iterator[object]:
    """A card goes to its place: for the first time in its round, or told before and put right (article 10).

    Where cards are held it is closed until somebody opens it or has seen it before (articles 4, 16).
    """
    shoe, played = state.shoe_in_play, state.round_in_play
    closed = played.holding is not None and not (card.shown or card.face_up)
    face, points = (None, None) if closed else (card.face, POINTS[card.face])
    if card.told:
        yield facts.CardCorrected(
            table=state.table,
            shoe_number=shoe.number,
            round_number=played.number,
            revision=played.revision,
            card_number=card.number,
            side=side,
            position=position,
            card=face,
            points=points,
        )
        return
    if card.face_up:
        yield facts.CardFoundFaceUp(
            table=state.table, shoe_number=shoe.number, round_number=played.number, card_number=card.number
        )
    yield facts.CardDealt(
        table=state.table,
        shoe_number=shoe.number,
        round_number=played.number,
        card_number=card.number,
        side=side,
        position=position,
        card=face,
        points=points,
    )
    if closed and shoe.kind == "virtual":
        yield FaceKept(card.number, card.face)


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
    ended = facts.RoundEnded(**shared)
    if state.shoe_in_play.correcting:
        return [ended]
    left_over = _left_over(state)
    surplus = [
        misdeal(state, card.number, "next_round" if card in left_over else "surplus_card", None)
        for card in state.round_in_play.waiting
    ]
    stay = [CardsStay(left_over[0].number)] if left_over else []
    return [*stay, ended, *surplus, *suspicions(state)]


def _left_over(state: State) -> list[RoundCard]:
    """The last cards out that are the next round's by the house's rules: nobody has seen their faces (article 10)."""
    if state.rules_in_force.surplus_card != "next_round":
        return []
    unused = takewhile(
        lambda card: card.side is None and card.face != NO_CARD and not (card.shown or card.face_up),
        reversed(state.round_in_play.cards),
    )
    return list(unused)[::-1]


def misdeal(state: State, ordinal: int, reason: str, round_number: int | None) -> facts.MisdealDetected:
    """A physical card that no hand takes; with a round's number that round waits for the console."""
    shoe = state.shoe_in_play
    return facts.MisdealDetected(
        table=state.table,
        shoe_number=shoe.number,
        round_number=round_number,
        ordinal=ordinal,
        expected_ordinal=max(shoe.next_ordinal, shoe.faces_to) if shoe.between_rounds else shoe.next_ordinal,
        reason=reason,
    )


def settle(state: State, settled: facts.RoundSettled) -> list[object]:
    """The round's books are closed: the shoe may end."""
    if not _is_present(state, settled, ("over",)):
        return []
    assert state.shoe_in_play.at_work is not None, "the round is present"
    if settled.revision != state.shoe_in_play.at_work.revision:
        return []
    note = BooksSettled(carried_out=settled.carried_out_minor > 0)
    return [note, *end_finished_shoe(evolve(state, note))]


def end_finished_shoe(state: State) -> list[object]:
    """The shoe's end between rounds: it has a damaged card, its last round is over, or too few cards for another.

    While the table is held nothing ends.
    """
    shoe, rules = state.shoe_in_play, state.rules_in_force
    if state.held:
        return []
    if shoe.damaged:
        return [shoe_ended(state, "damaged_card")]
    if shoe.last_round is not None and shoe.round_number >= shoe.last_round:
        return [shoe_ended(state, "cut_card")]
    if state.cards_left < ROUND_CARDS_MAX + rules.burn_each_round:
        return [shoe_ended(state, "too_few_cards")]
    return []


def shoe_ended(state: State, reason: str) -> facts.ShoeEnded:
    """The end of the shoe in play, with the count of its cards and, of a physical one, those that nobody read."""
    shoe: Shoe = state.shoe_in_play
    read = shoe.kind == "physical" and state.rules_in_force.dealing == "shoe"
    missing = {card: copies for card, copies in zip(CARDS, state.unseen, strict=True) if copies and read}
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
        missing=missing,
    )
