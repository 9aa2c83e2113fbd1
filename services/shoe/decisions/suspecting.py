"""Whether the cards of a physical shoe come in an order that no shuffle leaves.

Only the cards of finished rounds are looked at. So a suspicion never gives away a card that lies face down.

`new_deck_order`: in new decks each suit runs from ace to king or from king to ace. Whatever the order of the suits, and
wherever the shoe was cut, 12 of 13 cards follow the card before them in suit and rank. This is noticed at the 10th
card, or at the 11th if a suit ends before. After one riffle (Gilbert, Shannon, Reeds) every second card still follows:
this is noticed at card 19 in the median, and always by card 120. In shuffled decks 1 card in 28 follows.

`repeated_sequence`: cards come a second time in the same order. This is noticed at the sixth of them, which is card 81
when the first 15 rounds had 5 cards each.
"""

from collections.abc import Callable
from itertools import pairwise
from typing import Final

from schemas import facts
from schemas.cards import INDEX_OF_CARD, RANKS, SUITS
from services.shoe.table.state import FAILED, NO_CARD, UNSEEN, State

# FOLLOWING of the last WINDOW cards follow the card before them. In 1,000,000 shuffled shoes of eight decks 5 had that.
FOLLOWING: Final = 9
WINDOW: Final = 24
# REPEATED cards in a row came before. A shuffled shoe has 84,000 pairs of ordinals where they may, each with odds of
# (7/415)^6: that is 1 in 500,000.
REPEATED: Final = 6

_UP: Final = frozenset(low + suit + high + suit for low, high in pairwise(RANKS) for suit in SUITS)
_FOLLOWS: Final = _UP | {pair[2:] + pair[:2] for pair in _UP}


def suspicions(state: State) -> list[facts.ShoeSuspect]:
    """What the cards of the round that ends show: each pattern once a shoe, with the card at which it was clear."""
    shoe, played = state.shoe_in_play, state.round_in_play
    if shoe.kind == "virtual":
        return []
    cards = shoe.faces[: 2 * (played.first_ordinal - shoe.faces_from)]
    for sign in (UNSEEN, FAILED, NO_CARD):
        cards = cards.replace(sign, "")
    raised: dict[str, facts.ShoeSuspect] = {}
    for ordinal in range(played.first_ordinal, shoe.next_ordinal - len(played.waiting)):
        face = shoe.face(ordinal)
        cards += face if face in INDEX_OF_CARD else ""
        for pattern, check in _CHECKS.items():
            if pattern in shoe.suspected or pattern in raised or not (evidence := check(cards)):
                continue
            raised[pattern] = facts.ShoeSuspect(
                table=state.table, shoe_number=shoe.number, card_number=ordinal, pattern=pattern, evidence=evidence
            )
    return list(raised.values())


def new_deck_order(cards: str) -> str | None:
    """The evidence that the last of these cards (two characters each) stand as in new decks, cut or riffled once."""
    if cards[-4:] not in _FOLLOWS:
        return None
    tail = cards[-2 * (WINDOW + 1) :]
    follow = [tail[at : at + 4] in _FOLLOWS for at in range(0, len(tail) - 2, 2)]
    following, of = sum(follow), len(follow) - follow.index(True)
    if following < FOLLOWING:
        return None
    return (
        f"{following} of the last {of} cards follow the one before them in suit and rank, ace to king or back: "
        "in new decks 12 of 13 do, after one riffle about half, in shuffled decks 1 of 28"
    )


def repeated_sequence(cards: str) -> str | None:
    """The evidence that the last of these cards came in the same order before."""
    last = len(cards) - 2 * REPEATED
    before = cards.rfind(cards[last:], 0, len(cards) - 2) if last > 0 else -1
    if before < 0:
        return None
    return f"the last {REPEATED} cards came in the same order {(last - before) // 2} cards before"


_CHECKS: Final[dict[str, Callable[[str], str | None]]] = {
    "new_deck_order": new_deck_order,
    "repeated_sequence": repeated_sequence,
}
