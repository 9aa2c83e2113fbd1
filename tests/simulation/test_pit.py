"""The pit in memory does what the runtime does."""

from typing import Any, Final

import pytest

from schemas import facts, requests
from schemas.cards import POINTS
from schemas.codec import CHAIN_START, chain_of, named
from schemas.limits import BetLimits, Limits
from services.runtime.failures import Impassable
from tests.simulation.pit import Pit

TABLE: Final[dict[str, Any]] = {"table": "t", "operator": "dealer"}
R: Final[dict[str, Any]] = {**TABLE, "shoe_number": 1, "round_number": 1}
LIMITS: Final = Limits(currency="HKD", unit_minor=5, bets={"player": BetLimits(minimum_minor=100, maximum_minor=1_000)})
LOAD: Final = requests.ShoeLoad(**TABLE, shoe_number=1, kind="virtual", shuffled_by=None, cut_by=None, cut_at=None)


def begin(pit: Pit) -> None:
    pit.send("console", requests.TableOpen(**TABLE, house_rules="macau", limits=LIMITS))
    pit.send("console", LOAD)
    pit.send("console", requests.RoundOpen(**R))


def of(pit: Pit, kind: type[Any]) -> list[Any]:
    return [entry.event for entry in pit.events() if isinstance(entry.event, kind)]


def test_a_virtual_shoe_deals_the_cards_that_are_laid_in() -> None:
    pit = Pit(cards=["5S", "9H", "2C", "KD", "5S"])
    begin(pit)
    pit.send("console", requests.BettingClose(**R, wagers_through="0-0"))
    pit.run()
    (started,), (ended,) = of(pit, facts.ShoeStarted), of(pit, facts.RoundEnded)
    assert (started.burned, started.burn_card) == (POINTS["5S"], "5S")
    assert (ended.player_cards, ended.banker_cards, ended.result) == (("9H", "KD"), ("2C", "5S"), "player")
    assert [fact.result for fact in of(pit, facts.RoundSettled)] == ["player"]


def test_betting_closes_behind_the_wagers_that_it_names() -> None:
    pit = Pit(seed=1)
    begin(pit)
    pit.run()
    about: dict[str, Any] = {"table": "t", "shoe_number": 1, "round_number": 1}
    pit.send("console", requests.BettingClose(**R, wagers_through="1-0"))
    for bet_id in "ab":
        bet = requests.BetPlace(**about, bet_id=bet_id, bettor_id="ann", bet="player", amount_minor=100, currency="HKD")
        pit.send("wagers", bet)
    pit.run()
    assert [fact.bet_id for fact in of(pit, facts.BetAccepted)] == ["a"]
    assert [fact.reason for fact in of(pit, facts.BetRejected)] in (["books_closed"], ["round_over"])


def test_one_seed_gives_one_evening_and_each_stream_is_one_chain() -> None:
    pits = [Pit(seed=seed) for seed in (3, 3, 4)]
    for pit in pits:
        begin(pit)
        pit.send("console", requests.BettingClose(**R, wagers_through="0-0"))
        pit.run()
    assert pits[0].streams == pits[1].streams
    assert pits[0].streams["cards"] != pits[2].streams["cards"]
    for stream in ("cards", "calls", "bets"):
        chain = CHAIN_START
        for _, pairs in pits[0].streams[stream]:
            fields = {name.encode(): value for name, value in named(pairs).items()}
            chain = chain_of(fields, chain)
            assert fields[b"chain"].decode() == chain


def test_what_would_stop_a_pit_is_raised() -> None:
    pit = Pit()
    begin(pit)
    pit.run()
    pit.write("calls", [b"type", b"round.decided"])
    with pytest.raises(Impassable, match="calls/1-0"):
        pit.run()
