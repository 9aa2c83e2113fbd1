"""The shoe's only source of chance: the operating system's generator. A core gets the cards that were drawn here."""

import random
import secrets
from typing import Final

from schemas.cards import CARDS, Composition

_SYSTEM: Final = secrets.SystemRandom()


def draw(composition: Composition, count: int, generator: random.Random = _SYSTEM) -> tuple[str, ...]:
    """`count` cards one after the other, without putting any back: as the next cards of a shuffled shoe would be."""
    return tuple(generator.sample(CARDS, count, counts=composition)) if count else ()
