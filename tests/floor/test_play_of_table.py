"""The cards of a table, as its facts tell them."""

from typing import Any

from msgspec.structs import replace

from schemas import facts
from schemas.events import Event
from schemas.limits import BetLimits, Limits
from services.floor.play_of_table import Bead, Play, play_after
from tests.floor import made


def play_of(*events: Event) -> Play:
    play = Play(table=made.TABLE)
    for event in events:
        play = play_after(play, event)
    return play


OPEN = (made.table_opened(), made.shoe_started(), made.round_opened(1))


def test_cards_come_one_by_one_and_their_totals_with_them() -> None:
    play = play_of(
        *OPEN,
        made.card_dealt(1, 2, "player", "8H"),
        made.card_dealt(1, 3, "banker", "7C"),
        made.card_dealt(1, 4, "player", "4S"),
    )
    assert (play.player, play.banker) == (("8H", "4S"), ("7C",))
    assert (play.player_total, play.banker_total) == (2, 7)
    assert play.cards_left == 412


def test_a_call_stands_until_its_card_comes() -> None:
    called = play_of(*OPEN, made.draw_called(1, "banker"))
    assert called.call == made.draw_called(1, "banker")
    assert play_after(called, made.card_dealt(1, 6, "banker", "2D")).call is None


def test_a_call_of_another_round_is_passed_over() -> None:
    assert play_of(*OPEN, made.draw_called(2, "banker")).call is None


def test_an_ended_round_has_a_bead_and_a_new_shoe_an_empty_plate() -> None:
    ended = play_of(*OPEN, made.round_ended(1, "tie", banker_pair=True))
    assert ended.beads == (Bead(1, "tie", player_pair=False, banker_pair=True),)
    assert (ended.round_is, ended.result, ended.natural) == ("ended", "tie", True)
    assert play_after(ended, made.shoe_started(2)).beads == ()


def test_a_shoe_that_ended_does_not_run() -> None:
    play = play_of(*OPEN, made.shoe_ended())
    assert not play.shoe_runs
    assert (play.shoe_number, play.is_open) == (1, True)


def cut_card(round_number: int) -> facts.CutCardReached:
    return facts.CutCardReached(**made.of_round(round_number), card_number=400, last_round=2)


def test_the_cut_card_names_the_last_round() -> None:
    assert not play_of(*OPEN, cut_card(1)).last_round
    assert play_of(*OPEN, made.round_opened(2), cut_card(2)).last_round
    assert play_of(*OPEN, made.round_opened(2, last_round=True)).last_round


def results(play: Play) -> list[tuple[int, str]]:
    return [(bead.round_number, bead.result) for bead in play.beads]


TWO_ROUNDS = (*OPEN, made.round_ended(1), made.round_opened(2), made.round_ended(2))


def test_a_correction_changes_the_bead_of_its_round_and_leaves_the_cards_of_another() -> None:
    play = play_of(*TWO_ROUNDS, made.round_ended(1, "tie", revision=1, player_cards=("2H", "2S")))
    assert results(play) == [(1, "tie"), (2, "player")]
    assert (play.result, play.player) == ("player", ("8H", "KS"))
    corrected = play_after(play, made.round_ended(2, "tie", revision=1))
    assert (results(corrected), corrected.result) == ([(1, "tie"), (2, "tie")], "tie")


def test_a_correction_of_a_shoe_that_is_over_changes_no_bead() -> None:
    play = play_of(*TWO_ROUNDS, made.shoe_ended(), made.shoe_started(2))
    assert play_after(play, made.round_ended(1, "tie", revision=1)).beads == ()


def voided(round_number: int, revision: int = 0) -> facts.RoundVoided:
    return facts.RoundVoided(**made.of_round(round_number), revision=revision, reason="misdeal")


def test_a_round_corrected_to_a_void_has_no_bead_and_voids_no_other() -> None:
    play = play_of(*TWO_ROUNDS, voided(1, revision=1))
    assert (results(play), play.round_is) == ([(2, "player")], "ended")
    assert play_after(play, voided(2, revision=1)).round_is == "voided"


def test_a_demonstration_round_has_a_bead_where_the_house_rules_say_so() -> None:
    demonstration = made.round_ended(1, demonstration=True)
    play = play_of(*OPEN)
    assert results(play_after(play, demonstration)) == [(1, "player")]
    assert play.rules is not None
    off = replace(play, rules=replace(play.rules, demonstration_on_scoreboard=False))
    assert play_after(off, demonstration).beads == ()
    assert play_after(off, demonstration).result == "player"


def limits_of_bets(*bets: str, **others: Any) -> Limits:
    bounds = BetLimits(minimum_minor=500, maximum_minor=1_000)
    return Limits(currency="HKD", unit_minor=500, bets=dict.fromkeys(bets, bounds), **others)


def test_limits_that_were_changed_are_in_force_from_the_next_round_on() -> None:
    limits = limits_of_bets("player")
    changed = play_of(*OPEN, facts.LimitsChanged(table=made.TABLE, limits=limits, limits_version=2))
    assert changed.limits == play_of(*OPEN).limits
    assert play_after(changed, made.round_opened(2)).limits == limits


def test_a_table_offers_the_bets_that_its_rules_and_its_limits_have() -> None:
    play = play_of(*OPEN)
    assert play.bets == ("player", "banker", "tie", "player_pair", "banker_pair")
    assert replace(play, limits=limits_of_bets("tie", "dragon")).bets == ("tie",)
    assert Play(table=made.TABLE).bets == ()


def test_other_house_rules_are_known_from_their_fact_on() -> None:
    online = made.table_opened("online-1", "six-deck-online")
    changed = facts.HouseRulesChanged(
        table=made.TABLE, house_rules=online.house_rules, house_rules_sha256=online.house_rules_sha256
    )
    assert not play_of(*OPEN).shuffled_every_round
    assert play_of(*OPEN, changed).shuffled_every_round
