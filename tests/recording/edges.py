"""Numbers at both sides of each bound: what is still allowed and what no longer is."""

from typing import Any, Final

from schemas.house_rules import ODDS_MAX
from schemas.limits import AMOUNT_MINOR_MAX, STAKES_MAX
from tests.recording.desk import Desk
from tests.recording.hand import BANKER_WINS, BETS, PLAYER_WINS, TIE, correct, dealt, seated, staked
from tests.recording.recorder import Recorder

_CARDS: Final = 416  # of eight decks


def play_card_numbers(recorder: Recorder) -> None:
    """Ordinals, burns and cuts. What is allowed gets a table of its own."""
    asked: tuple[tuple[str, dict[str, Any], tuple[int, ...]], ...] = (
        ("shoe.load", {}, (-1, 0, _CARDS - 14, _CARDS - 13)),
        ("shoe.load", {"kind": "virtual"}, (-1, 0, _CARDS, _CARDS + 1)),
        ("damage.report", {}, (0, 1, _CARDS, _CARDS + 1)),
        ("round.open", {}, (-1, 0, _CARDS - 6, _CARDS - 5)),
        ("card.scan", {"card": "9S"}, (0, 1, _CARDS, _CARDS + 1)),
        ("card.scan", {"card": "9C"}, (0, 1, _CARDS, _CARDS + 1)),  # of a shuffler
        ("cut_card.scan", {}, (0, 1, _CARDS, _CARDS + 1)),
        ("round.void", {}, (0, 1, 3, 4, _CARDS + 1, _CARDS + 2)),
    )
    fields = {"damage.report": "card_number", "round.open": "burn", "round.void": "next_ordinal"}
    for kind, (name, said, numbers) in enumerate(asked):
        for number in numbers:
            shuffler = said.get("card") == "9C"
            house_rules = "macau-continuous-shuffler" if shuffler else "macau"
            desk = Desk(recorder, house_rules, f"number-{kind}-{number}")
            desk.console("table.open")
            field = fields.get(name, "ordinal")
            if name == "shoe.load":
                field = "cut_at" if said else "burned"
            else:
                desk.console("shoe.load")
            if shuffler:
                desk.console("round.open")
            if name == "round.void":
                staked(desk)
                desk.console("betting.close")
                desk.shoe("2H", "3H")
            desk.ask("scans" if field == "ordinal" else "console", {"type": name, **said, field: number})
            desk.round(*PLAYER_WINS)


def play_amounts(recorder: Recorder) -> None:
    """What may be staked, and what all stakes of a round may bring."""
    one = {name: {"minimum_minor": 1, "maximum_minor": 3, "total_minor": 4} for name in BETS}
    for house_rules in ("up-to-unit", "down-to-unit", "half-down", "one-side"):
        small = seated(recorder, house_rules, f"small-{house_rules}", unit_minor=1, bets=one)
        for round_number in range(3):
            small.console("round.open")
            for number, amount in enumerate((0, 1, 2, 3, 4, -1, 1)):
                bet = ("banker", "player", "banker_pair")[(number + round_number) % 3]
                small.bet(f"small-{round_number}-{number}", bet, amount, bettor_id=f"bettor-{number % 2}")
            small.console("betting.close")
            small.shoe(*(BANKER_WINS, ("AH", "6D", "KC", "QD"), TIE)[round_number])
    bets = {name: {"minimum_minor": 10_000, "maximum_minor": AMOUNT_MINOR_MAX} for name in ("player", "super_lucky_7")}
    rich = seated(recorder, "side-bets", "riches", unit_minor=10_000, bets=bets)
    rich.console("round.open")
    for number in range(92):
        rich.write(
            "wagers",
            {
                "type": "bet.place",
                "bet_id": f"rich-{number}",
                "bet": "super_lucky_7",
                "amount_minor": AMOUNT_MINOR_MAX,
                "bettor_id": f"bettor-{number}",
            },
        )
    rich.hear()
    for amount in (AMOUNT_MINOR_MAX + 1, 0, -1, 10**30, ODDS_MAX):
        rich.bet(f"rich-{amount}", "player", amount, bettor_id="dora")
    rich.console("betting.close")
    rich.shoe("7H", "6D", "KC", "KD")


def play_bounded_stakes(recorder: Recorder) -> None:
    """One bettor's maximum and all bettors' total, also under stakes that are carried; the differential."""
    bets = {name: {"minimum_minor": 30_000, "maximum_minor": 90_000, "total_minor": 120_000} for name in BETS}
    bounded = seated(recorder, "macau", "totals", bets=bets)
    bounded.console("round.open")
    for number, amount in enumerate((90_000, 60_000, 30_000)):
        bounded.bet(f"bounded-{number}", "player", amount, bettor_id=f"bettor-{number}")
    bounded.bet("bounded-mop", "player", 30_000, currency="MOP")
    bounded.bet("bounded-7", "player", 30_007)
    bounded.bet("bounded-1", "banker", 15_000)
    bounded.bet("bounded-8", "banker", 30_000, seat=8)
    bounded.bet("bounded-0", "banker", 30_000, seat=0)
    bounded.bet("unknown", "lucky_6", 30_000)
    bounded.console("betting.close")
    bounded.shoe(*TIE)
    less = {"player": {"minimum_minor": 10_000, "maximum_minor": 20_000, "total_minor": 20_000}}
    bounded.console("limits.set", limits={"currency": "HKD", "unit_minor": 5_000, "bets": less})
    bounded.console("round.open")
    for amount in (90_000, 85_000, 30_000, 20_000, 20_000):
        change = {"type": "bet.change", "bet_id": "bounded-0", "bet": "player", "amount_minor": amount}
        bounded.ask("wagers", change)
    bounded.console("betting.close")  # the carried stakes are above them
    bounded.shoe(*TIE)
    cut = seated(recorder, "reject", "cut", bets=bets, differential_limit_minor=30_000)
    cut.console("round.open")
    for bet_id, bet in (("first", "player"), ("second", "banker"), ("third", "banker"), ("pair", "player_pair")):
        cut.bet(bet_id, bet, 30_000, bettor_id="ann" if bet_id == "first" else "bob" if bet_id == "second" else "cid")
    cut.bet("fourth", "banker", 30_000)
    cut.ask("wagers", {"type": "bet.cancel", "bet_id": "first"})
    cut.console("betting.close")  # the third goes back, and with it its pair
    cut.shoe(*BANKER_WINS)


def play_moved_stakes(recorder: Recorder) -> None:
    """A stake is changed to each bet and amount that may not be."""
    bounds = {"minimum_minor": 30_000, "maximum_minor": 90_000, "total_minor": 120_000}
    for house_rules, bets in (("one-side", BETS), ("reject", BETS[:2]), ("macau", BETS)):
        limits: dict[str, Any] = {"differential_limit_minor": 60_000, "bets": dict.fromkeys(bets, bounds)}
        desk = seated(recorder, house_rules, f"moved-{house_rules}", **limits)
        desk.console("round.open")
        desk.bet("moved", "player", 30_000, bettor_id="ann", seat=1)
        desk.bet("pair", "player_pair", 30_000, bettor_id="ann", seat=1)
        desk.bet("beside", "player", 30_000, bettor_id="ann" if house_rules == "one-side" else "cid")
        desk.bet("across", "banker", 30_000, bettor_id="bob", seat=2)
        for bet_id in ("moved", "across"):
            for bet in (*BETS, "lucky_9"):
                for amount in (10**13, 93_000, 90_000, 60_000, 45_000, 30_007, 29_000, 0):
                    asked = {"bet_id": bet_id, "bet": bet, "amount_minor": amount}
                    desk.ask("wagers", {"type": "bet.change", **asked})
        desk.ask("wagers", {"type": "bet.change", "id": "twice", "bet_id": "pair", "amount_minor": 60_000})
        desk.ask("wagers", {"type": "bet.change", "id": "twice", "bet_id": "pair", "amount_minor": 90_000})
        desk.console("betting.close")
        desk.shoe(*PLAYER_WINS)


def play_adjustments(recorder: Recorder) -> None:
    """How much may be put right, and for how long; corrections of the same rounds beside it."""
    desk = seated(recorder, "macau", "adjusted")
    dealt(desk, BANKER_WINS)
    most = 60_000_000  # the largest stake and what it wins
    for amount in (0, 7, 500, -500, most, 500, -500, -most, -most, -500, 500, 10**12, -(10**12)):
        desk.console("settlement.adjust", bet_id="banker", amount_minor=amount)
    desk.console("settlement.adjust", bet_id="nobody-s", amount_minor=500)
    correct(desk, 1, 1, PLAYER_WINS)
    desk.console("settlement.adjust", bet_id="banker", amount_minor=500)
    for house_rules in ("never-corrected", "macau", "ten-corrected"):
        desk = seated(recorder, house_rules, f"window-{house_rules}")
        for number, suit in enumerate("CDHSC"):
            dealt(desk, ["89"[number // 4] + suit, "8" + suit, "K" + suit, "Q" + suit], f"-{number}")
        for number in range(1, 7):
            desk.console("settlement.adjust", bet_id=f"tie-{number - 1}", round_number=number, amount_minor=500)
            desk.console("settlement.adjust", bet_id="player-0", round_number=number, amount_minor=500)
            correct(desk, number, 4 * number - 3, ("9S",))
        desk.console("table.close")
        desk.console("settlement.adjust", bet_id="tie-4", round_number=5, amount_minor=500)
        desk.console("seat.leave", seat=1, bettor_id="ann")


def play_limits(recorder: Recorder) -> None:
    """Limits that can't be, and those that just can."""
    desk = Desk(recorder, "macau", "limits")
    desk.console("table.open")
    possible: tuple[dict[str, Any], ...] = (
        {"currency": "hkd"},
        {"currency": "HKDX"},
        {"unit_minor": 0},
        {"unit_minor": AMOUNT_MINOR_MAX + 1, "bets": {}},
        {"unit_minor": AMOUNT_MINOR_MAX, "bets": {}},
        {"max_stakes": 0},
        {"max_stakes": 1},
        {"max_stakes": STAKES_MAX},
        {"max_stakes": STAKES_MAX + 1},
        {"differential_limit_minor": -500},
        {"differential_limit_minor": 7},
        {"differential_limit_minor": 500},
        {"differential_limit_minor": 1_000},
        {"bets": {"player": {"minimum_minor": 0, "maximum_minor": 500}}},
        {"bets": {"player": {"minimum_minor": 500, "maximum_minor": 500}}},
        {"bets": {"player": {"minimum_minor": 1_000, "maximum_minor": 500}}},
        {"bets": {"player": {"minimum_minor": 500, "maximum_minor": AMOUNT_MINOR_MAX + 500}}},
        {"bets": {"player": {"minimum_minor": 500, "maximum_minor": 500, "total_minor": -500}}},
        {"bets": {"player": {"minimum_minor": 500, "maximum_minor": 507}}},
        {"unit_minor": 5, "bets": {"banker": {"minimum_minor": 35, "maximum_minor": 70}}},
        {"unit_minor": 5, "bets": {"banker": {"minimum_minor": 100, "maximum_minor": 200}}},
    )
    bets = {"player": {"minimum_minor": 1_000, "maximum_minor": 2_000}}
    for changes in possible:
        limits = {"currency": "HKD", "unit_minor": 500, "bets": bets}
        desk.console("limits.set", limits=limits | changes)
    desk.console("table.close")
    desk.console("table.open", limits={"currency": "HKD", "unit_minor": 0, "bets": {}})
