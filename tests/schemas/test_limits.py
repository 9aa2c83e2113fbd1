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


def test_limits_may_name_bets_that_the_house_does_not_offer() -> None:
    online: HouseRules = SHIPPED["six-deck-online"]
    assert "player_pair" in SOUND.bets
    assert impossible(SOUND, online) is None


def banker_from(minimum_minor: int, unit_minor: int = 500) -> Limits:
    bets = {**SOUND.bets, "banker": bounds(minimum_minor, 30_000_000)}
    return replace(SOUND, unit_minor=unit_minor, bets=bets, differential_limit_minor=0)


# Every Banker stake is a multiple of the minimum: 5 % of it has to be whole units, without commission its half.
@pytest.mark.parametrize(
    ("house", "changes", "minimum_minor", "unit_minor", "possible"),
    [
        ("macau", {}, 30_000, 500, True),
        ("macau", {}, 10_000, 500, True),
        ("macau", {}, 10_500, 500, False),
        ("macau", {}, 15_000, 500, False),
        ("macau", {}, 15_000, 250, True),
        ("macau", {}, 100, 1, True),
        ("macau", {}, 30, 1, False),
        ("macau", {"banker_multiple_of_minimum": False}, 10_500, 500, True),
        ("macau", {"commission_rounding": "up_to_unit"}, 10_500, 500, True),
        ("macau", {"commission_rounding": "down_to_unit"}, 10_500, 500, True),
        ("macau", {"commission": 4}, 10_000, 500, False),
        ("macau", {"commission": 4}, 12_500, 500, True),
        ("macau", {"commission": 0}, 10_500, 500, True),
        ("macau-no-commission", {}, 1_000, 500, True),
        ("macau-no-commission", {}, 1_500, 500, False),
        ("macau-no-commission", {"banker_exceptions": ()}, 1_500, 500, True),
    ],
)
def test_a_banker_minimum_has_to_be_payable_where_every_stake_is_its_multiple(
    house: str, changes: dict[str, Any], minimum_minor: int, unit_minor: int, possible: bool
) -> None:
    problem = impossible(banker_from(minimum_minor, unit_minor), replace(SHIPPED[house], **changes))
    if possible:
        assert problem is None
    else:
        assert problem is not None
        assert problem.startswith("bets.banker.minimum_minor is not a multiple of")


def test_what_a_minimum_has_to_be_a_multiple_of_is_said() -> None:
    assert impossible(banker_from(10_500), MACAU) == (
        "bets.banker.minimum_minor is not a multiple of 10000, whose winnings are in whole units"
    )
