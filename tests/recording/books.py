"""By hand: what stakes bring and what is left of them, where few tables would show it by chance."""

from typing import Any, Final

from tests.recording.desk import Desk
from tests.recording.hand import BANKER_WINS, BETS, PLAYER_WINS, TIE, dealt, seated
from tests.recording.recorder import Recorder

# Each side bet wins in one of these rounds, by each number of cards that it names.
_SIDE_BETS_WIN: Final = (
    ("2C", "4D", "3D", "2H", "TC"),  # Banker's 6 with two cards beats 5
    ("AC", "AD", "2D", "2H", "7C", "3H"),  # with three, beats 0
    ("3C", "2D", "4D", "3H", "AS"),  # Player's 7 with two cards beats 6 with three
    ("3C", "2D", "4D", "4H"),  # 6 with two
    ("2C", "2D", "3D", "4H", "2S"),  # with three cards, 6 with two
    ("AC", "AD", "2D", "KH", "4C", "5H"),  # 6 with three
    ("AC", "AD", "2D", "KH", "3C", "6H"),  # Banker's 7 with three cards
    ("AC", "AD", "2D", "2H", "5C", "4S"),  # Player's 8 with three
    ("4C", "9D", "4C", "9D"),  # both perfect pairs
    ("4C", "9D", "4H", "9H"),  # both pairs, neither perfect
    ("4C", "9D", "4C", "8H"),  # Player's alone
    ("KC", "9D", "7C", "9D"),  # Banker's alone
)


def play_side_bets(recorder: Recorder) -> None:
    """A stake on each bet that the house has, in rounds that let each of them win."""
    desk = seated(recorder, "side-bets", "side-bets")
    names = list(dict.fromkeys(bet.name for bet in recorder.part.house["side-bets"][0].bets))
    for number, cards in enumerate(_SIDE_BETS_WIN):
        desk.console("round.open")
        for name in names:
            amount = 30_000 if name in ("player", "banker") else 10_000
            desk.write(
                "wagers", {"type": "bet.place", "bet_id": f"{name}-{number}", "bet": name, "amount_minor": amount}
            )
        desk.hear()
        desk.console("betting.close")
        desk.shoe(*cards)


def play_cut_amounts(recorder: Recorder) -> None:
    """What remains of a stake that is cut: by whole units, exact commission and the multiple, each house its own."""
    bounds = {"minimum_minor": 100, "maximum_minor": 2_000}
    limits: dict[str, Any] = {"unit_minor": 5, "differential_limit_minor": 335, "bets": dict.fromkeys(BETS, bounds)}
    for house_rules in ("macau", "macau-no-commission", "wide", "up-to-unit", "down-to-unit", "half-down", "at-bet"):
        desk = seated(recorder, house_rules, f"amounts-{house_rules}", **limits)
        for number, (player, banker) in enumerate(((100, 600), (600, 100), (0, 700), (135, 1_000), (145, 160))):
            desk.console("round.open")
            for bet, amount in (("player", player), ("banker", banker), ("banker", 160), ("player", 185)):
                desk.bet(f"{bet}-{amount}-{number}", bet, amount, bettor_id=f"{bet}-{amount}")
            desk.console("betting.close")
            desk.shoe(*(TIE, BANKER_WINS, PLAYER_WINS)[number % 3])


def play_cut_parts(recorder: Recorder) -> None:
    """An increase is later than its stake: what was taken off again, and what is cut, comes from it first."""
    bounds = {"minimum_minor": 100, "maximum_minor": 2_000}
    limits: dict[str, Any] = {"unit_minor": 5, "differential_limit_minor": 100, "bets": dict.fromkeys(BETS, bounds)}
    for number, amounts in enumerate(((300, 200), (300, 400, 350), (300, 100, 300), (200, 300, 250, 150))):
        desk = seated(recorder, "wide", f"parts-{number}", **limits)
        for bet in ("player", "banker"):
            desk.console("round.open")
            desk.bet(f"{bet}-first", bet, 100, bettor_id="ann", seat=1)
            desk.bet(f"{bet}-second", bet, 100, bettor_id="bob", seat=2)
            _change(desk, f"{bet}-first", bet, *amounts)
            desk.bet(f"{bet}-third", bet, 100, bettor_id="cid")
            desk.console("betting.close")
            desk.shoe(*TIE)


def play_free_rounds(recorder: Recorder) -> None:
    """Rounds that nobody bets on, so many in a row; a stake in between makes the count start again."""
    for house_rules in ("one-free-round", "no-free-round", "macau"):
        desk = seated(recorder, house_rules, f"free-{house_rules}")
        for number, stakes in enumerate((False, True, False, False)):
            if stakes:
                dealt(desk, TIE, f"-{number}")
            else:
                desk.round(*PLAYER_WINS)
            desk.console("round.void")


def play_limits_that_go(recorder: Recorder) -> None:
    """A carried stake on a bet that the limits no longer have, and one that takes the whole of a total."""
    bounds = {"minimum_minor": 30_000, "maximum_minor": 120_000, "total_minor": 120_000}
    for gone in ("player", "banker"):
        desk = seated(recorder, "macau", f"without-{gone}", bets=dict.fromkeys(BETS, bounds))
        desk.console("round.open")
        desk.bet("player", "player", 120_000, bettor_id="ann", seat=1)
        desk.bet("banker", "banker", 120_000, bettor_id="bob", seat=2)
        desk.bet("more", "banker", 30_000, bettor_id="bob", seat=2)
        desk.console("betting.close")
        desk.shoe(*TIE)
        bets = {bet: bounds for bet in BETS if bet != gone}
        desk.console(
            "limits.set",
            limits={"currency": "HKD", "unit_minor": 500, "differential_limit_minor": 30_000, "bets": bets},
        )
        desk.console("round.open")
        _change(desk, gone, gone, 150_000, 60_000)
        desk.console("betting.close")
        desk.shoe(*BANKER_WINS)
        desk.console("settlement.adjust", bet_id="player", round_number=2, amount_minor=500)


def _change(desk: Desk, bet_id: str, bet: str, *amounts: int) -> None:
    for amount in amounts:
        desk.ask("wagers", {"type": "bet.change", "bet_id": bet_id, "bet": bet, "amount_minor": amount})
