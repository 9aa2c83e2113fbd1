"""Whatever bytes stand in a request stream: one reject, the cursor moves, and the next request is taken."""

from hypothesis import given
from hypothesis import strategies as st

from schemas.facts import BetAccepted
from tests.runtime.toy import bet, new_stepper, numbered, packed

_KNOWN_FIELDS = [b"specversion", b"id", b"source", b"type", b"subject", b"time", b"data"]
_names = st.sampled_from(_KNOWN_FIELDS) | st.binary(max_size=12)
_values = st.binary(max_size=40) | st.sampled_from([b"1.0", b"bet.place", b"bet.cancel", b"t", b"{}", b"[" * 5_000])
_entries = st.lists(st.tuples(_names, _values), min_size=1, max_size=9)


@given(_entries)
def test_any_bytes_are_one_reject_and_the_next_bet_is_taken(pairs: list[tuple[bytes, bytes]]) -> None:
    garbage = [part for pair in pairs for part in pair]
    stepper = new_stepper()
    assert stepper.take({"wagers": numbered(garbage, packed(bet()))})
    assert stepper.reject_count == 1
    assert [type(fact) for fact in stepper.facts] == [BetAccepted]
    assert stepper.positions["wagers"] == "2-0"
    stepper.seal("2026-01-01T00:00:00.000000Z")
