"""States to records and back: only what changed is written, and what is written is all there is."""

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from services.decider.part import Part
from services.runtime.records import Records
from tests.runtime.toy import Item, State

RECORDS = Records(State)
_keys = st.text(max_size=2)
_changes = st.dictionaries(_keys, st.none() | st.builds(Item, st.integers(0, 9)), max_size=5)


@given(st.lists(st.tuples(st.integers(0, 3), _changes), min_size=1, max_size=6))
def test_changes_applied_one_after_the_other_load_as_the_last_state(steps: list[tuple[int, dict[str, Item]]]) -> None:
    hash_rows: dict[bytes, bytes] = {}
    before = State(table="t")
    for rounds, changes in steps:
        after = msgspec.structs.replace(before, rounds=rounds, items=before.items.with_changes(changes))
        for name, value in RECORDS.changes("t", before, after):
            if value is None:
                hash_rows.pop(name, None)
            else:
                hash_rows[name] = value
        before = RECORDS.stored(after)
    assert RECORDS.load(hash_rows).get("t", State(table="t")) == before


def test_only_what_changed_is_written() -> None:
    before = State(table="t", rounds=1, items=Part({"kept": Item(1), "gone": Item(2)}))
    after = msgspec.structs.replace(before, items=before.items.with_changes({"gone": None, "new": Item(3)}))
    assert sorted(RECORDS.changes("t", before, after)) == [
        (b'["t","items","gone"]', None),
        (b'["t","items","new"]', b'{"amount_minor":3}'),
    ]


def test_a_table_may_have_any_name() -> None:
    state = State(table='"]/{🂡}', rounds=2, items=Part[Item]().with_item("[", Item(4)))
    rows = {name: value for name, value in RECORDS.changes(state.table, State(table=state.table), state) if value}
    assert RECORDS.load(rows) == {state.table: state}
