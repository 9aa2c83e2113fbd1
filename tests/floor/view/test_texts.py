"""The view's plain texts."""

from collections.abc import Mapping
from typing import Any

import pytest
from msgspec.structs import replace

from schemas.limits import BetLimits, Limits
from services.floor.view.texts import duration, limits_of_stakes, money, restarts_line, round_line
from tests.floor.view.drawing import BETTING, SETTLED, table_of


@pytest.mark.parametrize(
    ("amount_minor", "text"),
    [(0, "0"), (100, "1"), (2_925_50, "2,925.50"), (1_00000_00, "100,000"), (-114_000, "-1,140"), (-5, "-0.05")],
)
def test_money_shows_cents_only_where_there_are_some(amount_minor: int, text: str) -> None:
    assert money(amount_minor) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(None, "–"), (0.000166, "166 µs"), (0.0000183, "18.3 µs"), (0.00271, "2.71 ms"), (1.0, "1 s")],
)
def test_durations_have_three_digits(seconds: float | None, text: str) -> None:
    assert duration(seconds) == text


def test_a_settled_round_is_a_line() -> None:
    assert round_line(*table_of(*SETTLED)) == (
        "macau-1 shoe 1 round 1: player 8H KS (8), banker 7C TD (7) -> player, natural;"
        " placed 0, returned 0, house 12,345.50 HKD"
    )


def limits(bets: Mapping[str, tuple[int, int]], **others: Any) -> Limits:
    bounds = {name: BetLimits(minimum_minor=low, maximum_minor=high) for name, (low, high) in bets.items()}
    return Limits(currency="HKD", unit_minor=500, bets=bounds, **others)


MAIN, OTHER = (30_000, 30_000_000), (10_000, 2_000_000)


@pytest.mark.parametrize(
    ("given", "text"),
    [
        (limits({"player": MAIN, "banker": MAIN}), "Player, Banker 300–300,000"),
        (limits({"player": MAIN, "tie": OTHER}), "Player 300–300,000; Tie 100–20,000"),
        (
            limits({"player": MAIN, "banker": MAIN, "tie": OTHER, "player_pair": OTHER, "banker_pair": OTHER}),
            "Player, Banker 300–300,000; others 100–20,000",
        ),
        (limits({"tie": OTHER, "player_pair": OTHER}), "Tie, P pair 100–20,000"),
        (limits({"player": MAIN, "dragon": OTHER}), "Player 300–300,000"),
        (
            limits({"player": MAIN}, differential_limit_minor=5_000_000),
            "Player 300–300,000; differential 50,000",
        ),
    ],
    ids=["one", "two", "others", "no-main", "not-offered", "differential"],
)
def test_limits_name_every_bet_that_is_offered_once(given: Limits, text: str) -> None:
    play, _ = table_of(*BETTING)
    assert limits_of_stakes(replace(play, limits=given)) == text


def test_short_limits_name_the_main_bets_by_their_letters() -> None:
    play, _ = table_of(*BETTING)
    assert limits_of_stakes(play, short=True) == "P, B 300–300,000; others 100–20,000"


@pytest.mark.parametrize(
    ("restarts", "text"),
    [
        ({}, ""),
        ({"shoe": 1}, "started again: shoe once"),
        ({"server": 2, "demo": 1}, "started again: server 2 times, demo once"),
    ],
)
def test_restarts_are_told_by_process(restarts: dict[str, int], text: str) -> None:
    assert restarts_line(restarts) == text
