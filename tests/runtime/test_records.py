"""States to records and back: only what changed is written, and what is written is all there is."""

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from services.runtime.records import Records
from tests.runtime.toy import Item, State

RECORDS = Records(State)
_items = st.dictionaries(st.text(max_size=5), st.builds(Item, st.integers(0, 9)), max_size=5)
_states = st.builds(State, table=st.just("t"), rounds=st.integers(0, 3), closed=st.booleans(), items=_items)


@given(st.lists(_states, min_size=1, max_size=6))
def test_changes_applied_one_after_the_other_load_as_the_last_state(states: list[State]) -> None:
    hash_rows: dict[bytes, bytes] = {}
    before = State(table="t")
    for state in states:
        for name, value in RECORDS.changes("t", before, state):
            if value is None:
                del hash_rows[name]
            else:
                hash_rows[name] = value
        before = state
    assert RECORDS.load(hash_rows).get("t", State(table="t")) == states[-1]


def test_only_what_changed_is_written() -> None:
    kept, gone, new = Item(1), Item(2), Item(3)
    before = State(table="t", rounds=1, items={"kept": kept, "gone": gone})
    after = msgspec.structs.replace(before, items={"kept": kept, "new": new})
    assert sorted(RECORDS.changes("t", before, after)) == [
        (b'["t","items","gone"]', None),
        (b'["t","items","new"]', b'{"amount_minor":3}'),
    ]


def test_a_table_may_have_any_name() -> None:
    state = State(table='"]/{🂡}', rounds=2, items={"[": Item(4)})
    rows = {name: value for name, value in RECORDS.changes(state.table, State(table=state.table), state) if value}
    assert RECORDS.load(rows) == {state.table: state}
