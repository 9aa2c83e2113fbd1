"""How the card of a virtual shoe follows from a key and a seed. Pure: the same arguments, the same card.

    master key ──pit, table, numbers, entry id──► key of a round ──seed, number of the card──► one of the unseen cards

Whoever has the key and reads the streams can do the same sums. Everything is HMAC-SHA256 (RFC 2104) and SHA-256.
"""

import hashlib
import hmac
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate

from schemas.cards import CARDS, INDEX_OF_CARD, Composition
from services.shoe.decisions.drawn import Purpose
from services.shoe.seeds import prefixed


def key_of(
    master: bytes, purpose: Purpose, *, pit: str, table: str, shoe_number: int, round_number: int, entry_id: str
) -> bytes:
    """The key of one round or shoe. `entry_id`: that of its `round.open` or `shoe.load`."""
    words = (purpose, pit, table, str(shoe_number), str(round_number), entry_id)
    return hmac.digest(master, prefixed(*(word.encode() for word in words)), "sha256")


def commitment_of(key: bytes) -> str:
    """What binds the shoe to a key that it does not show yet."""
    return hashlib.sha256(key).hexdigest()


def draw(key: bytes, seed: bytes, number: int, unseen: Sequence[int]) -> str:
    """The card with this number, from 1, in the order of dealing; `unseen` is what the shoe has before it."""
    ends = [*accumulate(unseen)]
    chance = int.from_bytes(hmac.digest(key, seed + bytes((number,)), "sha256"), "big")
    return CARDS[bisect_right(ends, chance % ends[-1])]


def draw_on(key: bytes, seed: bytes, known: Sequence[str], count: int, unseen: Composition) -> tuple[str, ...]:
    """The first `count` cards of a round: the `known` ones, and behind them those drawn from `unseen`."""
    cards, left = [*known], [*unseen]
    for number in range(len(known) + 1, count + 1):
        card = draw(key, seed, number, left)
        left[INDEX_OF_CARD[card]] -= 1
        cards.append(card)
    return tuple(cards)
