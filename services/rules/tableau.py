"""The drawing rules of article 9, as the regulation prints them. Points are a card's 0 to 9, totals a hand's.

Naturals come first: with 8 or 9 on two cards on either side nobody draws, so the tables end at 7.
"""

from collections.abc import Sequence
from typing import Final

from schemas.cards import Side

_D, _S = True, False  # draws, stands

# Player's total:       0   1   2   3   4   5   6   7
PLAYER_DRAWS: Final = (_D, _D, _D, _D, _D, _D, _S, _S)  # fmt: skip

# A row for each total of Banker, a column for what Player did: the points of the card it drew, or that it stood.
BANKER_DRAWS: Final = (
    # 0   1   2   3   4   5   6   7   8   9   stood
    (_D, _D, _D, _D, _D, _D, _D, _D, _D, _D,  _D),  # 0
    (_D, _D, _D, _D, _D, _D, _D, _D, _D, _D,  _D),  # 1
    (_D, _D, _D, _D, _D, _D, _D, _D, _D, _D,  _D),  # 2
    (_D, _D, _D, _D, _D, _D, _D, _D, _S, _D,  _D),  # 3
    (_S, _S, _D, _D, _D, _D, _D, _D, _S, _S,  _D),  # 4
    (_S, _S, _S, _S, _D, _D, _D, _D, _S, _S,  _D),  # 5
    (_S, _S, _S, _S, _S, _S, _D, _D, _S, _S,  _S),  # 6
    (_S, _S, _S, _S, _S, _S, _S, _S, _S, _S,  _S),  # 7
)  # fmt: skip
_PLAYER_STOOD: Final = 10


def is_natural(player: Sequence[int], banker: Sequence[int]) -> bool:
    """Whether two hands, given as the points of their cards, are decided by an 8 or 9 on the first two cards."""
    return len(player) == 2 == len(banker) and (sum(player) % 10 > 7 or sum(banker) % 10 > 7)


def side_to_draw(player: Sequence[int], banker: Sequence[int]) -> Side | None:
    """Who draws next after two hands, given as the points of their cards; None: nobody, the round is decided."""
    if len(banker) == 3 or is_natural(player, banker):
        return None
    if len(player) == 3:
        column = player[2]
    elif PLAYER_DRAWS[sum(player) % 10]:
        return "player"
    else:
        column = _PLAYER_STOOD
    return "banker" if BANKER_DRAWS[sum(banker) % 10][column] else None
