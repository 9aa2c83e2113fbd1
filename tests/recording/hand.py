"""By hand, what chance seldom finds: requests between two services' steps, corrections of corrections, moved stakes."""

from collections.abc import Sequence
from typing import Any, Final

from tests.recording.desk import Desk
from tests.recording.recorder import Recorder

# Four cards of which nobody draws a third, and who wins.
PLAYER_WINS: Final = ("9H", "2D", "KC", "QD")
BANKER_WINS: Final = ("2H", "9D", "KC", "QD")
TIE: Final = ("8H", "8D", "KC", "QD")
PLAYER_DRAWS: Final = ("2H", "3D", "3C", "4C")
BETS: Final = ("player", "banker", "tie", "player_pair", "banker_pair")


def seated(recorder: Recorder, house_rules: str, name: str, kind: str = "physical", **limits: Any) -> Desk:
    """A table with two seated bettors and a shoe."""
    desk = Desk(recorder, house_rules, name, **limits)
    desk.console("table.open")
    for seat, bettor in enumerate(("ann", "bob"), 1):
        desk.console("seat.take", seat=seat, bettor_id=bettor)
    desk.console("shoe.load", kind=kind)
    return desk


def staked(desk: Desk, suffix: str = "") -> None:
    """The next round is open, with a stake on each of the five usual bets."""
    desk.console("round.open")
    desk.bet(f"player{suffix}", "player", 30_000, bettor_id="ann", seat=1)
    desk.bet(f"banker{suffix}", "banker", 60_000, bettor_id="bob", seat=2)
    for bet in BETS[2:]:
        desk.bet(f"{bet}{suffix}", bet, 10_000, bettor_id="cid")


def dealt(desk: Desk, cards: Sequence[str], suffix: str = "") -> None:
    """A whole round for those stakes."""
    staked(desk, suffix)
    desk.console("betting.close")
    desk.shoe(*cards)


def correct(desk: Desk, round_number: int, first: int, cards: Sequence[str | None]) -> None:
    """The round's cards were these, from this ordinal on."""
    readings = [{"ordinal": first + at, "card": card} for at, card in enumerate(cards)]
    desk.console("card.correct", round_number=round_number, cards=readings)


def play_between_steps(recorder: Recorder) -> None:
    """Requests that come while a service has not read yet what another wrote."""
    asked = ("table.close", "shoe.end", "round.open", "round.void", "card.correct", "damage.report", "table.hold")
    for kind in ("physical", "virtual"):
        for number, request in enumerate(asked):
            desk = seated(recorder, "macau", f"over-{kind}-{number}", kind)
            _until_over(desk, kind)
            desk.write("console", {"type": request})
            if request == "table.hold":
                desk.write("console", {"type": "table.release"})
            if kind == "physical":
                desk.write("shoe", "9S", None)
            recorder.step("shoe", "shoe")
            desk.hear()
            desk.round(*PLAYER_WINS)
    for number, then in enumerate(("table.release", "round.void")):
        for kind, cards in (("physical", PLAYER_WINS), ("physical", PLAYER_DRAWS), ("virtual", PLAYER_WINS)):
            desk = seated(recorder, "macau", f"decided-held-{kind}-{cards[0]}-{number}", kind)
            _until_called(desk, kind, cards)
            desk.write("console", {"type": "table.hold"})
            recorder.step("shoe", "rules", "shoe")
            desk.hear()
            desk.console(then)
            desk.console("table.release")
            desk.shoe("4H")
    desk = seated(recorder, "macau", "called-and-void")
    _until_called(desk, "physical", PLAYER_DRAWS)
    desk.write("console", {"type": "round.void"})
    recorder.step("shoe", "rules", "shoe", "settlement")
    desk.hear()
    for kind in ("physical", "virtual"):
        desk = seated(recorder, "macau", f"closed-and-void-{kind}", kind)
        staked(desk)
        desk.write("console", {"type": "betting.close"})
        recorder.do("take settlement")
        desk.write("console", {"type": "round.void"})
        recorder.do("take shoe", "commit shoe", "commit settlement")
        desk.hear()
        dealt(desk, PLAYER_WINS, "-2")


def play_ends_that_wait(recorder: Recorder) -> None:
    """A shoe that is to end when its table is held: it ends with the release."""
    for kind in ("physical", "virtual"):
        for number, first in enumerate(("table.hold", "table.release")):
            desk = seated(recorder, "macau", f"end-waits-{kind}-{number}", kind)
            staked(desk)
            desk.console("damage.report")
            desk.recorder.cards = [*PLAYER_WINS]
            if kind == "physical":
                desk.console("betting.close")
                desk.write("shoe", *PLAYER_WINS)
                recorder.step("shoe", "rules", "shoe")
            else:
                desk.write("console", {"type": "betting.close"})
                recorder.step("settlement", "shoe", "rules", "shoe")
            desk.write("console", {"type": "table.hold"})
            recorder.step("shoe")
            if first == "table.hold":
                desk.hear()
                desk.console("damage.report")
            desk.console("table.release")
            desk.console("shoe.load")


def _until_called(desk: Desk, kind: str, cards: Sequence[str]) -> None:
    """The fourth card is dealt and rules have not read it."""
    staked(desk)
    if kind == "virtual":
        desk.recorder.cards = [*cards]
        desk.write("console", {"type": "betting.close"})
        desk.recorder.step("settlement", "shoe")
    else:
        desk.console("betting.close")
        desk.write("shoe", *cards)
        desk.recorder.step("shoe")


def _until_over(desk: Desk, kind: str) -> None:
    """The round has ended and settlement has not read it."""
    _until_called(desk, kind, PLAYER_WINS)
    desk.recorder.step("rules", "shoe")


def play_corrections(recorder: Recorder) -> None:
    """Into a tie and out of it, again and again, to a void and back, late, and too late."""
    for number, house_rules in enumerate(("macau", "macau-sjm", "macau-no-commission", "ties-return", "keeps-pairs")):
        desk = seated(recorder, house_rules, f"revised-{number}")
        dealt(desk, PLAYER_WINS)
        correct(desk, 1, 1, BANKER_WINS)
        correct(desk, 1, 1, TIE)
        correct(desk, 1, 1, TIE)
        correct(desk, 1, 1, PLAYER_DRAWS)  # no fifth card left the shoe: void
        correct(desk, 1, 1, PLAYER_WINS)
        correct(desk, 1, 1, ("6H", "6D", None, "QD"))  # a card read twice: no fourth
        correct(desk, 1, 1, TIE)
        desk.console("settlement.adjust", bet_id="tie", amount_minor=500)
        correct(desk, 1, 1, ("8H", "8D", "8C", "KD"))
        correct(desk, 1, 1, TIE)
        desk.ask("wagers", {"type": "bet.change", "bet_id": "player", "round_number": 2, "bet": "player"})
        dealt(desk, TIE, "-2")
        correct(desk, 1, 1, BANKER_WINS)  # what it carried was settled elsewhere
        correct(desk, 2, 5, PLAYER_WINS)
        correct(desk, 2, 5, TIE)
        desk.console("round.open")
        correct(desk, 2, 5, PLAYER_WINS)  # a round is open
        desk.console("round.void")
        correct(desk, 3, 9, PLAYER_WINS)  # it has no result
        for extra in ("-4", "-5", "-6"):
            dealt(desk, ("2H", "3D", "3C", "4C", "4H"), extra)
        correct(desk, 2, 5, PLAYER_WINS)  # expired
        for cards in (("2H", "3D", "3C", "4C", "5H"), ("9H", "3D", "KC", "4C", "4H"), ("2H", "AD", "3C", "4C", "7H")):
            correct(desk, 5, 14, cards)
        desk.console("house_rules.change", house_rules="six-deck-online")
        desk.console("house_rules.change", house_rules="macau-sjm")
        correct(desk, 6, 19, PLAYER_WINS)
        desk.console("damage.report")
        correct(desk, 6, 19, PLAYER_WINS)


def play_demonstrations(recorder: Recorder) -> None:
    """Rounds without books: corrected, adjusted, void, and passed over by carried stakes."""
    desk = seated(recorder, "macau", "demonstrations")
    desk.console("round.open", demonstration=True)
    desk.shoe(*PLAYER_WINS)
    correct(desk, 1, 1, BANKER_WINS)
    correct(desk, 1, 1, PLAYER_DRAWS)
    desk.console("settlement.adjust", bet_id="nobody-s", amount_minor=500)
    desk.console("round.open", demonstration=True, burn=1)
    desk.shoe("5C", "9H")
    desk.console("betting.close")
    desk.bet("early", "player", 30_000)
    desk.console("round.void", next_ordinal=400)
    desk.console("round.void", next_ordinal=417)
    desk.console("round.void", next_ordinal=500)
    desk.console("round.void")
    dealt(desk, TIE)
    correct(desk, 3, 8, BANKER_WINS)
    correct(desk, 3, 8, TIE)
    desk.console("shoe.end")
    desk.console("shoe.load", kind="virtual")
    desk.console("round.open", demonstration=True)
    desk.console("round.open")
    desk.console("betting.close")


def play_lost_keys(recorder: Recorder) -> None:
    """The shoe has no key: what needs it is refused, until a round is given up."""
    desk, other = (seated(recorder, "squeeze-approved", f"keys-{name}", "virtual") for name in ("lost", "other"))
    desk.console("round.open")
    desk.bet("held", "player", 30_000, bettor_id="ann", seat=1)
    desk.console("key.lost")
    desk.ask("console", {"type": "key.lost"})
    desk.console("betting.close")
    recorder.do("lose keys")
    desk.console("card.open", side="player", position=1)
    desk.console("round.void")
    other.console("round.open")
    other.console("shoe.end")
    other.console("shoe.load", kind="virtual")
    other.console("shoe.load", kind="physical")
    desk.ask("console", {"type": "key.lost"})
    desk.console("key.lost")
    recorder.do("find keys")
    desk.console("shoe.load", kind="virtual")
    dealt(desk, ())


def play_terms(recorder: Recorder) -> None:
    """Rules and limits that change between rounds: each round is corrected under those that it was played under."""
    desk = seated(recorder, "macau", "terms")
    banker_six = ("2H", "6D", "3C", "KC", "TS")
    for number, house_rules in enumerate(("macau-no-commission", "macau", "macau-no-commission", "macau-sjm")):
        dealt(desk, (*PLAYER_DRAWS, "4H"), f"-{number}")
        desk.console("house_rules.change", house_rules=house_rules)
        for round_number in range(max(1, number - 1), number + 2):
            correct(desk, round_number, 5 * round_number - 4, banker_six)
            desk.console(
                "settlement.adjust", bet_id=f"banker-{round_number - 1}", round_number=round_number, amount_minor=500
            )
        bets = {bet: {"minimum_minor": 10_000 + 10_000 * (number % 2), "maximum_minor": 90_000} for bet in BETS}
        desk.console("limits.set", limits={"currency": "HKD", "unit_minor": (500, 1_000)[number % 2], "bets": bets})


def play_ties(recorder: Recorder) -> None:
    """A stake that a tie left is moved to what the house offers and to what it does not."""
    for house_rules in ("macau", "macau-sjm", "withdraw-only", "at-bet", "ties-return"):
        desk = seated(recorder, house_rules, f"carried-{house_rules}")
        dealt(desk, TIE)
        desk.console("round.open")
        for revision, (bet, amount) in enumerate(
            (("tie", 60_000), ("banker", 60_500), ("banker", 90_000), ("banker", 30_000), ("player", 30_000))
        ):
            for expected in range(revision + 1):
                asked = {"bet_id": "banker", "revision": expected, "bet": bet, "amount_minor": amount}
                desk.ask("wagers", {"type": "bet.change", **asked})
        for revision in range(4):
            desk.ask("wagers", {"type": "bet.cancel", "bet_id": "player", "revision": revision})
        desk.console("betting.close")
        desk.shoe(*TIE)
        desk.console("table.close")


def play_changes(recorder: Recorder) -> None:
    """Tables and rule sets that do not fit one another."""
    desk = Desk(recorder, "wide", "changes", bets={"banker": {"minimum_minor": 30_500, "maximum_minor": 61_000}})
    for layouts, seats in ((3, 9), (0, 9), (2, 10), (2, 0), (2, 9)):
        desk.console("table.open", layouts=layouts, seats=seats)
    desk.console("house_rules.change", house_rules="macau")  # one layout
    desk.console("table.close")
    desk.console("table.open", layouts=1, seats=9, gaming_day="2026-01-01")
    desk.console("house_rules.change", house_rules="macau")  # seven seats
    desk.console("table.close")
    desk.console("table.open", layouts=1, seats=7)
    desk.console("house_rules.change", house_rules="macau")  # the multiple's commission
    desk.console("house_rules.change", house_rules="nobody-s")
