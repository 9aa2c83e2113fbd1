"""Limits: every refusal of the rules, one a line, against a set that is accepted."""

from typing import Any

import pytest
from msgspec.structs import replace

from schemas.house_rules import SHIPPED_DIRECTORY, HouseRules, read_house_rules
from schemas.limits import BetLimits, Limits, impossible

SHIPPED = {name: rules for name, (rules, _) in read_house_rules(SHIPPED_DIRECTORY).items()}
MACAU = SHIPPED["macau"]


def bounds(minimum_minor: int, maximum_minor: int, total_minor: int = 0) -> BetLimits:
    return BetLimits(minimum_minor=minimum_minor, maximum_minor=maximum_minor, total_minor=total_minor)


SOUND = Limits(
    currency="HKD",
    unit_minor=500,
    bets={
        "player": bounds(30_000, 30_000_000),
        "banker": bounds(30_000, 30_000_000),
        "tie": bounds(10_000, 2_000_000, 8_000_000),
        "player_pair": bounds(10_000, 2_000_000),
        "banker_pair": bounds(10_000, 2_000_000),
    },
    differential_limit_minor=30_000_000,
)


def with_bet(name: str, limits: BetLimits, **changes: Any) -> Limits:
    return replace(SOUND, bets={**SOUND.bets, name: limits}, **changes)


@pytest.mark.parametrize(
    "limits",
    [
        SOUND,
        replace(SOUND, differential_limit_minor=0),
        replace(SOUND, differential_limit_minor=30_000),  # the minimum itself
        replace(SOUND, max_stakes=1),
        replace(SOUND, max_stakes=1_000),
        replace(SOUND, bets={}),
        replace(SOUND, unit_minor=1),
        with_bet("player", bounds(30_000, 30_000)),
        with_bet("player", bounds(30_000, 10**12)),
        with_bet("tie", bounds(500, 500, 9 * 10**15)),
        with_bet("tie", bounds(1_000_000, 2_000_000), differential_limit_minor=500_000),  # Tie has no differential
    ],
)
def test_limits_that_hold_together_are_possible(limits: Limits) -> None:
    assert impossible(limits, MACAU) is None


@pytest.mark.parametrize(
    ("limits", "why"),
    [
        (replace(SOUND, currency=""), "currency is not"),
        (replace(SOUND, currency="HK"), "currency is not"),
        (replace(SOUND, currency="HKDX"), "currency is not"),
        (replace(SOUND, currency="hkd"), "currency is not"),
        (replace(SOUND, currency="HK1"), "currency is not"),
        (replace(SOUND, currency="HKD\n"), "currency is not"),
        (replace(SOUND, currency="ÀÉÎ"), "currency is not"),
        (replace(SOUND, unit_minor=0), "unit_minor is not between"),
        (replace(SOUND, unit_minor=-500), "unit_minor is not between"),
        (replace(SOUND, unit_minor=10**12 + 1), "unit_minor is not between"),
        (replace(SOUND, max_stakes=0), "max_stakes is not between"),
        (replace(SOUND, max_stakes=1_001), "max_stakes is not between"),
        (replace(SOUND, differential_limit_minor=-1), "differential_limit_minor is below 0"),
        (replace(SOUND, differential_limit_minor=30_000_001), "differential_limit_minor is not in whole units"),
        (replace(SOUND, differential_limit_minor=29_500), "differential_limit_minor is below bets.player"),
        (
            with_bet("banker", bounds(40_000, 50_000), differential_limit_minor=35_000),
            "differential_limit_minor is below bets.banker",
        ),
        (with_bet("lucky_6", bounds(500, 1_000)), "bets.lucky_6 is not offered"),
        (with_bet("player", bounds(30_500, 30_000)), "bets.player: not 1 <= minimum_minor <= maximum_minor"),
        (with_bet("player", bounds(0, 30_000)), "bets.player: not 1 <= minimum_minor"),
        (with_bet("player", bounds(-500, 30_000)), "bets.player: not 1 <= minimum_minor"),
        (with_bet("player", bounds(500, 10**12 + 500)), "bets.player: not 1 <= minimum_minor"),
        (with_bet("player", bounds(500, 10**40)), "bets.player: not 1 <= minimum_minor"),
        (with_bet("tie", bounds(500, 1_000, -500)), "bets.tie.total_minor is not between"),
        (with_bet("tie", bounds(500, 1_000, 9 * 10**15 + 500)), "bets.tie.total_minor is not between"),
        (with_bet("banker", bounds(30_001, 40_000)), "bets.banker: an amount is not in whole units"),
        (with_bet("banker", bounds(30_000, 40_001)), "bets.banker: an amount is not in whole units"),
        (with_bet("banker", bounds(30_000, 40_000, 90_001)), "bets.banker: an amount is not in whole units"),
    ],
)
def test_limits_that_cannot_be_are_refused_with_field_and_reason(limits: Limits, why: str) -> None:
    reason = impossible(limits, MACAU)
    assert reason is not None
    assert reason.startswith(why)


def test_a_bet_that_the_house_does_not_offer_has_no_limits() -> None:
    online: HouseRules = SHIPPED["six-deck-online"]
    assert impossible(SOUND, online) == "bets.player_pair is not offered by the house rules six-deck-online"
