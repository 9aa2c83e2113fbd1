"""The only source of chance of the shoe service: the operating system's generator. The core gets the drawn cards."""

import random
import secrets
from typing import Final

from schemas.cards import CARDS, Composition

_SYSTEM: Final = secrets.SystemRandom()


def draw(composition: Composition, count: int, generator: random.Random = _SYSTEM) -> tuple[str, ...]:
    """`count` cards, one after the other, none of them put back: as likely as the next cards of a shuffled shoe."""
    return tuple(generator.sample(CARDS, count, counts=composition)) if count else ()
