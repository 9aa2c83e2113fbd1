"""Cards: a rank of `A23456789TJQK` and a suit of `CDHS`, such as `8H`; their points; what a number of decks holds.

A composition is a tuple of 52 counts, in the order of `CARDS`.
"""

from typing import Annotated, Final, Literal

from msgspec import Meta

RANKS: Final = "A23456789TJQK"
SUITS: Final = "CDHS"
CARDS: Final = tuple(rank + suit for rank in RANKS for suit in SUITS)
INDEX_OF_CARD: Final = {card: index for index, card in enumerate(CARDS)}

# `$` alone would let a trailing newline through in Python, and JSON Schema has no `\Z`.
Card = Annotated[str, Meta(pattern=r"^[A23456789TJQK][CDHS]$(?!\n)", description="rank and suit", examples=["8H"])]
Side = Literal["player", "banker"]
Result = Literal["player", "banker", "tie"]
Composition = tuple[int, ...]

# Article 5: an ace counts 1, 2 to 9 their face value, ten and the court cards nothing.
POINTS: Final = {card: 0 if card[0] in "TJQK" else RANKS.index(card[0]) + 1 for card in CARDS}


def total(cards: tuple[str, ...]) -> int:
    """The total of a hand, 0 to 9: the sum of its points modulo ten (article 5)."""
    return sum(POINTS[card] for card in cards) % 10


def is_pair(cards: tuple[str, ...]) -> bool:
    """Whether the first two cards of a hand have one rank, whatever their suits (article 13)."""
    return cards[0][0] == cards[1][0]


def full_composition(decks: int) -> Composition:
    """The composition of `decks` decks of 52 cards."""
    return (decks,) * 52


def without(composition: Composition, card: str) -> Composition:
    """The composition with one copy of `card` taken out; the caller knows that it holds one."""
    index = INDEX_OF_CARD[card]
    assert composition[index] > 0, "no such card is left to take out"
    return (*composition[:index], composition[index] - 1, *composition[index + 1 :])
