"""Whatever is asked in whatever order: no assert, no change by repeats and refusals, no card before its time."""

from collections import Counter
from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas import facts, requests
from schemas.codec import Entry
from schemas.events import Event, Fact
from schemas.limits import Limits
from tests.shoe.table import TABLE, Table, assert_counts_are_whole, house_rules, without_identities

RULES = [
    house_rules(),
    house_rules(burn="first_card", burn_each_round=1, rounds_after_cut_card=0),
    house_rules(decks=2, burn="fixed", cut_card_first_counts="last"),
    house_rules(cut_card_depth=52, rounds_after_cut_card=0),
    house_rules(dealing="continuous_shuffler", cut_card_depth=0),
    house_rules(holding=True, demonstration_rounds=1, void_keeps_pairs=True),
    house_rules(surplus_card="next_round", burn_each_round=1, correctable_rounds=1),
]
R: dict[str, Any] = {"table": TABLE, "operator": "dealer"}

numbers = st.sampled_from([0, 0, 0, 0, 0, 0, 1, -1])
few = st.integers(0, 3)
cards = st.sampled_from(["AC", "2C", "3C", "4C", "5D", "6D", "8H", "9H", "TH", "JS", "QS", "KS", "AS", None])
sides = st.sampled_from(["player", "banker"])
near = st.sampled_from([0, 0, 0, 0, 0, 0, 0, -1, -2, 1, 3, 30])
readings = st.dictionaries(st.integers(-6, -1), cards, max_size=2)
# Each kind of step, how often it comes, and what it is asked with.
STEPS: dict[str, tuple[int, Any, Any]] = {
    "open": (1, few, few),
    "close": (1, few, few),
    "virtual": (1, numbers, few),
    "physical": (1, numbers, few),
    "end": (1, numbers, few),
    "hold": (1, numbers, few),
    "release": (2, numbers, few),
    "limits": (1, numbers, few),
    "house rules": (1, numbers, few),
    "damage": (1, numbers, few),
    "round": (2, numbers, st.sampled_from([0, 0, 0, 2, 38, 60])),
    "demonstration": (2, numbers, few),
    "void": (2, numbers, st.none() | st.integers(-1, 10)),
    "scan": (10, near, cards),
    "cut card": (2, st.integers(-2, 2), few),
    "closed": (3, numbers, few),
    "player": (3, numbers, few),
    "banker": (3, numbers, few),
    "decided": (3, numbers, few),
    "settled": (3, numbers, few),
    "open card": (8, sides, st.integers(0, 3)),
    "pass": (3, sides, st.sampled_from(["ann", "bob", None])),
    "correct": (12, st.sampled_from([0, 0, 0, -1, -2, -4]), readings),
    # The way on: whatever this table needs to come further.
    "on": (60, st.booleans(), cards),
}
# Where a sequence begins: nowhere, or in a shoe.
STARTS: list[list[tuple[str, Any, Any]]] = [
    [],
    [("open", 0, 0), ("virtual", 0, 0)],
    [("open", 0, 0), ("physical", 0, 0)],
    [("open", 0, 0), ("physical", 0, 2)],
]
steps = st.sampled_from([kind for kind, (often, _, _) in STEPS.items() for _ in range(often)]).flatmap(
    lambda kind: st.tuples(st.just(kind), *STEPS[kind][1:])
)


def event_of(table: Table, step: tuple[str, Any, Any]) -> Event:
    """The step as an event, its numbers counted from those that would fit."""
    kind, number, value = step
    if kind in ("open card", "pass", "correct", "demonstration"):
        return asked_about_cards(table, step)
    shoe = table.state.shoe
    played = shoe.current_round if shoe else None
    shoe_number, last = (shoe.number, shoe.round_number) if shoe else (1, 0)
    next_ordinal = shoe.next_ordinal if shoe else 1
    through = (played.card_facts if played else 0) + (number if kind != "scan" else 0)
    if kind == "on":
        return event_of(table, way_on(table, number, value))
    if shoe and shoe.correcting:
        last = shoe.correcting.number
    numbers_of_round = {"shoe_number": shoe_number, "round_number": last + number}
    match kind:
        case "open":
            return requests.TableOpen(**R, house_rules="test", limits=LIMITS)
        case "close":
            return requests.TableClose(**R)
        case "virtual" | "physical":
            load_number = (shoe.number + 1 if shoe else 1) + number
            burned = value if kind == "physical" else 0
            return requests.ShoeLoad(
                **R, kind=kind, shoe_number=load_number, burned=burned, shuffled_by=None, cut_by=None, cut_at=None
            )
        case "end":
            return requests.ShoeEnd(**R, shoe_number=shoe_number + number, reason="worn")
        case "hold":
            return requests.TableHold(**R, reason="disputed")
        case "release":
            return requests.TableRelease(**R)
        case "limits":
            return requests.LimitsSet(**R, limits=LIMITS)
        case "house rules":
            return requests.HouseRulesChange(**R, house_rules="test")
        case "damage":
            return requests.DamageReport(**R, shoe_number=shoe_number + number, card_number=value, reason="bent")
        case "round":
            return requests.RoundOpen(**R, shoe_number=shoe_number, round_number=last + 1 + number, burn=value)
        case "void":
            ordinal = None if value is None else next_ordinal + value
            return requests.RoundVoid(**R, **numbers_of_round, reason="spilt", next_ordinal=ordinal)
        case "scan":
            ordinal = next_ordinal + number
            return requests.CardScan(
                table=TABLE, shoe_number=shoe_number, ordinal=ordinal, card=value, face_up=value == "8H"
            )
        case "cut card":
            return requests.CutCardScan(table=TABLE, shoe_number=shoe_number, ordinal=next_ordinal + number)
        case _:
            said = {"table": TABLE, **numbers_of_round, "through": through, "side": kind}
            return msgspec.convert(SISTERS | said | {"revision": played.revision if played else 0}, FACTS[kind])


def asked_about_cards(table: Table, step: tuple[str, Any, Any]) -> Event:
    """What a console asks about a round's cards."""
    kind, number, value = step
    shoe = table.state.shoe
    last, next_ordinal = (shoe.round_number, shoe.next_ordinal) if shoe else (0, 1)
    asked = R | {"shoe_number": shoe.number if shoe else 1, "round_number": last}
    match kind:
        case "open card":
            return requests.CardOpen(**asked, side=number, position=value)
        case "pass":
            return requests.HolderPass(**asked, side=number, to=value)
        case "demonstration":
            return requests.RoundOpen(**asked | {"round_number": last + 1 + number}, demonstration=True)
        case _:
            readings = tuple(
                requests.CorrectedCard(ordinal=next_ordinal + ordinal, card=card) for ordinal, card in value.items()
            )
            return requests.CardCorrect(**asked | {"round_number": last + number}, cards=readings, reason="seen")


LIMITS = Limits(currency="HKD", unit_minor=1, bets={})
FACTS: dict[str, type[Fact]] = {
    "closed": facts.BettingClosed,
    "player": facts.DrawCalled,
    "banker": facts.DrawCalled,
    "decided": facts.RoundDecided,
    "settled": facts.RoundSettled,
}
SISTERS: dict[str, Any] = {
    "stakes": 0,
    "totals": {},
    "player_holder": "ann",
    "banker_holder": None,
    "player_seats": [{"seat": 1, "bettor_id": "ann"}, {"seat": 2, "bettor_id": "bob"}],
    "player_total": 0,
    "banker_total": 0,
    "player_third_points": None,
    "revision": 0,
    "result": "tie",
    "player_cards": [],
    "banker_cards": [],
    "natural": False,
    "player_pair": False,
    "banker_pair": False,
    "demonstration": False,
    **dict.fromkeys(
        [f"{name}_minor" for name in ("placed", "carried_in", "returned", "carried_out", "house", "commission")], 0
    ),
}


def way_on(table: Table, choice: bool, card: str | None) -> tuple[str, Any, Any]:
    """What a floor would do next."""
    shoe = table.state.shoe
    if not table.state.is_open:
        return ("open", 0, 0)
    if table.state.held:
        return ("release", 0, 0)
    if shoe is None or shoe.ended:
        return ("physical" if choice else "virtual", 0, 0)
    if shoe.idle or shoe.current_round is None:
        return ("round", 0, 0)
    match shoe.current_round.phase:
        case "betting":
            return ("closed", 0, 0)
        case "dealing":
            return ("scan", 0, card)
        case "calling" if shoe.current_round.player_card_count == 2 and choice:
            return ("player", 0, 0)
        case "calling":
            return ("decided", 0, 0)
        case "misdealt" if choice:
            return ("correct", 0, {})
        case "misdealt":
            return ("void", 0, None)
        case _:
            return ("settled", 0, 0)


def check(table: Table, entry: Entry, written: list[Fact], before: Any, closed: set[tuple[int, int]]) -> None:
    """What holds after every step."""
    if [type(fact) for fact in written] == [facts.RequestRefused]:
        assert without_identities(table.state) == without_identities(before)
    if before.held and not isinstance(entry.event, requests.TableRelease):
        assert not {type(fact) for fact in written} & {facts.CardDealt, facts.RoundOpened, facts.ShoeEnded}
    for fact in written:
        if isinstance(fact, facts.CardDealt):
            assert (fact.shoe_number, fact.round_number) in closed
        if isinstance(fact, facts.ShoeEnded) and table.rules.dealing == "shoe":
            assert_counts_are_whole(table, table.rules.decks)
    after = table.state
    repeated = table.take_entry(entry)
    assert without_identities(table.state) == without_identities(after)
    # A card that can't be placed while the console is awaited is told again.
    assert {type(fact) for fact in repeated} <= {facts.RequestRepeated, facts.RequestRefused, facts.MisdealDetected}
    if isinstance(entry.event, requests.ConsoleRequest):
        # A table that was never opened remembers nobody.
        told = facts.RequestRepeated if after.limits_version else facts.RequestRefused
        assert [type(fact) for fact in repeated] == [told]
        assert table.state == after
    shoe = table.state.shoe
    if shoe and not shoe.ended and table.rules.dealing == "shoe":
        assert table.state.cards_left + shoe.next_ordinal - 1 - shoe.read_twice == 52 * table.rules.decks
        if shoe.between_rounds and not shoe.correcting:
            out = shoe.dealt + shoe.burned_seen + shoe.burned_unseen + shoe.surplus
            assert out + shoe.read_twice == shoe.next_ordinal - 1
            left_over = len(shoe.faces) // 2 - (shoe.next_ordinal - 1 if shoe.kind == "physical" else 0)
            assert 0 <= left_over <= (12 if table.rules.surplus_card == "next_round" else 0)
        faces = [shoe.faces[at : at + 2] for at in range(0, len(shoe.faces), 2)]
        seen = sum(face not in ("--", "??", "xx") for face in faces)
        seen += shoe.dealt + shoe.burned_seen if shoe.kind == "virtual" else 0
        if shoe.kind == "virtual" and not shoe.between_rounds:
            # What lies face down in the round in play is not known yet.
            seen -= sum(not card.shown for card in table.state.round_in_play.cards)
        assert sum(table.state.unseen) == 52 * table.rules.decks - seen


@settings(max_examples=120, deadline=None)
@given(st.sampled_from(RULES), st.sampled_from(STARTS), st.lists(steps, min_size=20, max_size=60))
def test_any_sequence_of_entries_keeps_the_shoes_promises(
    rules: Any, start: list[tuple[str, Any, Any]], sequence: list[tuple[str, Any, Any]]
) -> None:
    table = Table(rules)
    closed: set[tuple[int, int]] = set()
    for step in [*start, *sequence]:
        entry = table.entry(event_of(table, step))
        event = entry.event
        if isinstance(event, facts.BettingClosed):
            closed.add((event.shoe_number, event.round_number))
        if isinstance(event, requests.RoundOpen) and event.demonstration:
            closed.add((event.shoe_number, event.round_number))
        before = table.state
        check(table, entry, table.take_entry(entry), before, closed)
    ends = Counter(
        (fact.shoe_number, fact.round_number, fact.revision)
        for fact in table.facts
        if isinstance(fact, facts.RoundEnded | facts.RoundVoided)
    )
    opened = Counter((fact.shoe_number, fact.round_number) for fact in table.of(facts.RoundOpened))
    assert {(shoe, number) for shoe, number, _ in ends} <= {*opened}
    assert max(opened.values(), default=1) == 1 == max(ends.values(), default=1)
    card_numbers = [(fact.shoe_number, fact.round_number, fact.card_number) for fact in table.of(facts.CardDealt)]
    assert len(card_numbers) == len(set(card_numbers))
    if not table.of(facts.CardCorrected):
        assert card_numbers == sorted(card_numbers)
