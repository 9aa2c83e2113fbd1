"""Who owns which pit."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from services.runtime.ownership import owner

_replicas = st.lists(st.text(min_size=1, max_size=8), min_size=1, max_size=6, unique=True)
PITS = [f"pit-{number}" for number in range(60)]


def test_nobody_owns_a_pit_without_replicas() -> None:
    assert owner("demo", []) is None


@given(_replicas, st.randoms())
def test_every_replica_comes_to_the_same_owner_in_whatever_order_it_sees_them(
    replicas: list[str], random: Random
) -> None:
    shuffled = list(replicas)
    random.shuffle(shuffled)
    assert [owner(pit, replicas) for pit in PITS] == [owner(pit, shuffled) for pit in PITS]


@given(_replicas)
def test_a_replica_that_leaves_moves_only_its_own_pits(replicas: list[str]) -> None:
    gone, *rest = replicas
    for pit in PITS:
        if rest and owner(pit, replicas) != gone:
            assert owner(pit, rest) == owner(pit, replicas)


def test_pits_spread_over_replicas() -> None:
    owned = [owner(pit, ["a", "b", "c"]) for pit in PITS]
    assert all(10 <= owned.count(replica) <= 30 for replica in "abc")
