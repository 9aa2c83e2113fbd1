"""Whether a physical shoe's cards come in an order that no shuffle leaves. Looks at cards of finished rounds only:
what it says never gives a closed card away.

`new_deck_order`: new decks have each suit from ace to king or back. There, whatever the order of the suits and wherever
the shoe was cut, 12 of 13 cards follow the one before them by suit and rank: noticed at the 10th card, where a suit
ends before at the 11th. After one riffle (Gilbert, Shannon, Reeds) every second one still does: noticed at card 19
(median), always by card 120. Of shuffled cards 1 in 28 does. `repeated_sequence`: cards that come a second time in the
same order are noticed at the sixth of them, behind 15 rounds of 5 cards at card 81.
"""

from collections.abc import Callable
from itertools import pairwise
from typing import Final

from schemas import facts
from schemas.cards import INDEX_OF_CARD, RANKS, SUITS
from services.shoe.table.state import FAILED, NO_CARD, UNSEEN, State

# So many of the last cards follow the one before: 9 of 24 did in 5 of 1,000,000 shuffled shoes of eight decks.
FOLLOWING: Final = 9
WINDOW: Final = 24
# So many cards in a row that came before: that is 84,000 pairs of places, each with odds of (7/415)^6; 1 in 500,000.
REPEATED: Final = 6

_UP: Final = frozenset(low + suit + high + suit for low, high in pairwise(RANKS) for suit in SUITS)
_FOLLOWS: Final = _UP | {pair[2:] + pair[:2] for pair in _UP}


def suspicions(state: State) -> list[facts.ShoeSuspect]:
    """What the cards of the round that ends add, each pattern once a shoe, and at which card it was clear."""
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
