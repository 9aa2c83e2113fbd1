"""The house rules of the recorded evening: the shipped sets, and a set for each choice that those do not make."""

import hashlib
from pathlib import Path
from typing import Any, Final, get_args

import msgspec

from schemas.house_rules import Approval, BankerException
from schemas.limits import Limits
from tests.simulation.pit import House, house
from tests.simulation.test_properties import limits_of, rules_of

_SIDE_BETS: Final = Path(__file__).parents[1] / "data" / "house"

# What each changes on a set that is `macau` but for its side bets, its two demonstration rounds and no regulation.
VARIANTS: Final[dict[str, dict[str, Any]]] = {
    "approved": {"approval": get_args(Approval)},
    "at-bet": {"differential_policy": "at_bet", "tie_options": ("keep", "switch", "reduce")},
    "at-bet-whole": {"differential_policy": "at_bet", "tie_options": ("keep", "switch")},
    "burns-decks": {"decks": 2, "burn": "deck_count", "cut_card_first_counts": "last"},
    "burns-each-round": {"decks": 2, "burn_each_round": 1, "burn": "none", "cut_card_depth": 20},
    "burns-fixed": {"decks": 1, "burn": "fixed", "burn_fixed": 3, "rounds_after_cut_card": 0},
    "burns-besides": {"decks": 2, "burn_includes_indicator": False, "burn_face_value": 0},
    "down-to-unit": {"commission_rounding": "down_to_unit", "banker_multiple_of_minimum": False},
    "half-down": {
        "commission": 0,
        "banker_exceptions": (BankerException(total=6, odds="1:2"),),
        "commission_rounding": "down_to_unit",
        "banker_multiple_of_minimum": False,
    },
    "keeps-pairs": {"void_keeps_pairs": True, "decks": 1},
    "never-corrected": {"correctable_rounds": 0, "decks": 1},
    "next-round": {"surplus_card": "next_round", "decks": 2},
    "next-round-burned": {"surplus_card": "next_round", "decks": 2, "burn_each_round": 2, "cut_card_depth": 30},
    "no-free-round": {"free_rounds": 0, "decks": 2},
    "one-free-round": {"free_rounds": 1, "decks": 2},
    "one-side": {"both_sides": False, "pair_requires_main": True},
    "reject": {"differential_policy": "reject", "pair_requires_main": True},
    "squeeze": {"holding": True, "void_keeps_pairs": True, "decks": 2},
    "squeeze-approved": {"holding": True, "approval": get_args(Approval), "surplus_card": "next_round"},
    "squeeze-lowest-seat": {
        "holding": True,
        "holder_tie_break": "lowest_seat",
        "surplus_card": "next_round",
        "decks": 1,
    },
    "ten-corrected": {"correctable_rounds": 10, "decks": 2},
    "ties-return": {"tie_stakes": "return", "decks": 2},
    "up-to-unit": {"commission_rounding": "up_to_unit", "banker_multiple_of_minimum": False},
    "wide": {"layouts": 2, "seats": 9, "banker_multiple_of_minimum": False, "decks": 6},
    "withdraw-only": {"tie_options": ("withdraw", "keep"), "decks": 2},
}
LIMITS: Final[tuple[Limits, ...]] = (
    limits_of(0, 1_000),
    limits_of(300, 6),
    limits_of(500, 1_000),
    limits_of(0, 2),
)


def evening_house() -> House:
    """All of them."""
    variants = {name: rules_of(name, changes) for name, changes in VARIANTS.items()}
    own = {name: (rules, hashlib.sha256(msgspec.json.encode(rules)).hexdigest()) for name, rules in variants.items()}
    return {**house(_SIDE_BETS), **own}
