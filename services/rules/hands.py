"""The hands of a round as the shoe tells them, what has to come next, and the call that says so (articles 7, 9, 11)."""

from collections.abc import Mapping
from typing import Final, Literal

import msgspec
from msgspec.structs import replace

from schemas.cards import POINTS, Result, Side, is_pair
from schemas.facts import CallsFact, DrawCalled, RoundDecided
from services.rules.tableau import is_natural, side_to_draw

Expected = Literal["round", "player", "banker", "open", "correction", "call", "end"]
Hand = tuple[str, ...]

_FIRST_FOUR: Final[tuple[tuple[Side, int], ...]] = (("player", 1), ("banker", 1), ("player", 2), ("banker", 2))


class HandCard(msgspec.Struct, frozen=True):
    """A card of a hand, by its number. `card` is null while it lies face down."""

    number: int
    side: Side
    position: int
    card: str | None


class Round(msgspec.Struct, frozen=True, omit_defaults=True):
    """A round. Before a table's first round, both numbers are 0.

    `through`: how many facts have told of its cards, those after its end included.
    `expects`: what has to come next. The docstring of core.py explains the values.
    """

    shoe_number: int = 0
    round_number: int = 0
    demonstration: bool = False
    cards: tuple[HandCard, ...] = ()
    through: int = 0
    revision: int = 0
    expects: Expected = "round"

    def next_position(self, side: Side) -> int:
        """The position of this side's next card."""
        return 1 + sum(card.side == side for card in self.cards)


def with_cards(played: Round, cards: tuple[HandCard, ...]) -> Round:
    """The round after one more fact about its cards. These are its hands now."""
    return replace(played, cards=cards, through=played.through + 1, expects=_expected(cards))


def _expected(cards: tuple[HandCard, ...]) -> Expected:
    """What has to come next.

    Between the facts of a correction two cards may lie at one position, or there may be a third card too many.
    """
    hands = _hands(cards)
    if len(hands) < len(cards):
        return "correction"
    for side, position in _FIRST_FOUR:
        if (side, position) not in hands:
            return side
    if None in hands.values():
        return "open"
    return "call" if _third_cards_fit(hands) else "correction"


def _hands(cards: tuple[HandCard, ...]) -> dict[tuple[Side, int], str | None]:
    return {(card.side, card.position): card.card for card in cards}


def _third_cards_fit(hands: Mapping[tuple[Side, int], str | None]) -> bool:
    """Whether each third card that is there was to be drawn by article 9."""
    player, banker = _points(_hand(hands, "player")), _points(_hand(hands, "banker"))
    if len(player) == 3 and side_to_draw(player[:2], banker[:2]) != "player":
        return False
    return len(banker) == 2 or side_to_draw(player, banker[:2]) == "banker"


def _hand(hands: Mapping[tuple[Side, int], str | None], side: Side) -> Hand:
    cards = (hands.get((side, position)) for position in (1, 2, 3))
    return tuple(card for card in cards if card is not None)


def _points(hand: Hand) -> tuple[int, ...]:
    return tuple(POINTS[card] for card in hand)


def call(table: str, played: Round) -> CallsFact:
    """Who draws by article 9, or how the round came out."""
    hands = _hands(played.cards)
    player_cards, banker_cards = _hand(hands, "player"), _hand(hands, "banker")
    player, banker = _points(player_cards), _points(banker_cards)
    player_total, banker_total = sum(player) % 10, sum(banker) % 10
    side = side_to_draw(player, banker)
    if side is not None:
        return DrawCalled(
            table=table,
            shoe_number=played.shoe_number,
            round_number=played.round_number,
            through=played.through,
            side=side,
            player_total=player_total,
            banker_total=banker_total,
            player_third_points=player[2] if len(player) == 3 else None,
        )
    return RoundDecided(
        table=table,
        shoe_number=played.shoe_number,
        round_number=played.round_number,
        revision=played.revision,
        through=played.through,
        result=_result(player_total, banker_total),
        player_cards=player_cards,
        banker_cards=banker_cards,
        player_total=player_total,
        banker_total=banker_total,
        natural=is_natural(player, banker),
        player_pair=is_pair(player_cards),
        banker_pair=is_pair(banker_cards),
        demonstration=played.demonstration,
    )


def _result(player_total: int, banker_total: int) -> Result:
    """Articles 11 and 12: the higher total wins, equal totals are a tie."""
    if player_total == banker_total:
        return "tie"
    return "player" if player_total > banker_total else "banker"
