"""What a step writes: the records that it changed, and none of the many that it did not."""

import json

from schemas import requests
from services.shoe.table.state import IDENTITIES_KEPT
from tests.shoe.asking import change_house_rules, set_limits
from tests.shoe.loop import Loop, physical
from tests.shoe.table import TABLE, Table, types

HEAD = f'["{TABLE}"]'
TERMS = f'["{TABLE}","terms","in_force"]'


def many_items() -> Loop:
    """A table that remembers all the requests it may and three rounds that can be corrected."""
    loop = physical()
    for number, suit in enumerate("CDHS", 1):
        loop.play(number, 4 * number - 3, *(rank + suit for rank in "9KT5"))  # Player 9 against Banker 5
    while len(loop.state.memory) < IDENTITIES_KEPT:
        refused(loop)
    return loop


def refused(loop: Loop) -> None:
    """A request that leads to nothing but a memory of it."""
    assert types(loop.take(requests.ShoeEnd(table=TABLE, operator="d", shoe_number=9, reason="r"))) == [
        "request.refused"
    ]


def memory(slot: int) -> str:
    return f'["{TABLE}","memory","{slot}"]'


def past(number: int) -> str:
    return f'["{TABLE}","past","{number}"]'


def written(table: Table) -> set[str]:
    """The names of the records that the last step wrote."""
    return {name.decode() for name, value in table.stored.written.items() if value is not None}


def removed(table: Table) -> set[str]:
    return {name.decode() for name, value in table.stored.written.items() if value is None}


def test_a_table_has_a_record_for_its_head_its_terms_each_request_and_each_past_round() -> None:
    loop = many_items()
    kinds = [json.loads(name)[1:2] for name in loop.stored.rows]
    assert len(kinds) == 2 + IDENTITIES_KEPT + 3
    assert [kinds.count([part]) for part in ("terms", "memory", "past")] == [1, IDENTITIES_KEPT, 3]


def test_a_card_writes_the_head_alone() -> None:
    loop = many_items()
    loop.open_round(5)
    assert loop.scan(17, "8H") == []
    assert (written(loop), removed(loop)) == ({HEAD}, set())
    loop.close_betting(5)
    assert (written(loop), removed(loop)) == ({HEAD}, set())


def test_a_request_writes_the_head_and_takes_the_oldest_slot() -> None:
    loop = many_items()
    for slot in (0, 1, 2):
        refused(loop)
        assert (written(loop), removed(loop)) == ({HEAD, memory(slot)}, set())


def test_a_settled_round_is_written_and_the_one_that_cannot_be_corrected_any_more_removed() -> None:
    loop = many_items()
    loop.play(5, 17, "8C", "QC", "JC", "4C")
    assert (written(loop), removed(loop)) == ({HEAD, past(5)}, {past(2)})


def test_a_correction_writes_its_round_when_it_is_settled() -> None:
    loop = many_items()
    loop.correct(3, {9: "8D"})
    assert past(3) not in written(loop)
    loop.settled(3, revision=1)
    assert (written(loop), removed(loop)) == ({HEAD, past(3)}, set())


def test_terms_are_written_when_they_change_and_removed_with_the_table() -> None:
    loop = many_items()
    set_limits(loop)
    assert (written(loop), removed(loop)) == ({HEAD, TERMS, memory(0)}, set())
    change_house_rules(loop, "test")
    assert (written(loop), removed(loop)) == ({HEAD, TERMS, memory(1)}, set())
    loop.close()
    assert (written(loop), removed(loop)) == ({HEAD, memory(2)}, {TERMS, past(2), past(3), past(4)})


def test_what_changes_nothing_writes_nothing() -> None:
    loop = many_items()
    loop.settled(3)
    assert loop.stored.written == {}
    loop.take(requests.CardScan(table=TABLE, shoe_number=9, ordinal=1, card=None))
    assert loop.stored.written == {}
