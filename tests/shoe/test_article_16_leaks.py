"""Article 16: nothing that the shoe writes depends on the face of a card that nobody has opened.

Two tables get the same requests and scans, but for the faces of the closed cards. What they write is the same to the
byte, notes and states aside.
"""

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas import requests
from schemas.cards import CARDS
from schemas.events import Fact
from schemas.facts import TableOpened
from tests.shoe.loop import Loop, R
from tests.shoe.table import TABLE, house_rules

ordinals = st.integers(1, 9)
cards = st.sampled_from(CARDS)
steps = st.one_of(
    st.tuples(st.just("next"), st.just(0), cards),
    st.tuples(st.just("next"), st.just(0), cards),
    st.tuples(st.just("next"), st.just(0), cards),
    st.tuples(st.just("failed"), ordinals, cards),
    st.tuples(st.just("skip"), st.just(0), cards),
    st.tuples(st.just("correct"), ordinals, cards),
    st.tuples(st.just("correct"), st.just(0), cards),
    st.tuples(st.just("close"), st.just(0), cards),
    st.tuples(st.just("pass"), st.just(0), cards),
    st.tuples(st.just("open wrongly"), ordinals, cards),
    st.tuples(st.just("void"), ordinals, cards),
)


def table(surplus_card: str) -> Loop:
    loop = Loop(house_rules(decks=12, holding=True, surplus_card=surplus_card))
    loop.open()
    loop.load("physical")
    loop.open_round(1)
    return loop


def take(loop: Loop, step: tuple[str, int, str], other: bool) -> list[Fact]:
    """The same step on either table; only the faces of scans differ."""
    what, ordinal, card = step
    face = CARDS[(CARDS.index(card) + 17) % 52] if other else card
    behind = loop.state.shoe_in_play.faces_to
    match what:
        case "next":
            return loop.scan(behind, face)
        case "skip":
            return loop.scan(behind + 1, face)
        case "failed":
            return loop.scan(ordinal, None)
        case "correct":
            readings = (requests.CorrectedCard(ordinal=ordinal, card=card),) if ordinal else ()
            return loop.take(requests.CardCorrect(**R, shoe_number=1, round_number=1, cards=readings, reason="seen"))
        case "close":
            return loop.close_with_holders(1, ("ann", "bob"), ("cem",))
        case "pass":
            return loop.pass_cards(1, "player", "bob")
        case "open wrongly":
            return loop.open_card(1, "player", ordinal, "nobody")
        case _:
            return loop.void(1, next_ordinal=ordinal + 9)


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(["burn", "next_round"]), st.lists(steps, min_size=4, max_size=25))
def test_no_fact_depends_on_the_face_of_a_closed_card(surplus_card: str, sequence: list[tuple[str, int, str]]) -> None:
    one, two = table(surplus_card), table(surplus_card)
    for step in [("close", 0, "AC"), *sequence]:
        written = [take(loop, step, other) for loop, other in ((one, False), (two, True))]
        assert written[0] == written[1]


def test_a_closed_cards_face_is_in_no_fact_and_no_refusal() -> None:
    loop = table("burn")
    loop.close_with_holders(1, ("ann",), ("cem",))
    loop.scan_all(1, "2C", "KD", "3H", "5S", "9D")
    written: list[Fact] = [
        *loop.scan(2, "8C"),  # another reading
        *loop.scan(2, "KD"),
        *loop.open_card(1, "banker", 3),
        *loop.open_card(1, "banker", 1, "ann"),
        *loop.correct(1, {7: "8C"}),
        *loop.correct(1),
        *loop.void(1),
        *loop.settled(1),
        *loop.correct(1),
    ]
    assert len(written) == 8
    said = "".join(msgspec.json.encode(fact).decode() for fact in loop.facts if not isinstance(fact, TableOpened))
    assert [card for card in ("2C", "KD", "3H", "5S", "9D", "8C") if card in said] == []
    assert f'"table":"{TABLE}"' in said
