"""Replay: recorded rounds through the three services, as processes on a real server: what agrees and what differs."""

import json
from pathlib import Path
from typing import Any

import pytest

from services.floor.replay.command import replay
from tests.floor.replay.records import DATA, NATURAL, PIT, SHIPPED, lines_told, summary, written

ONE_CARD_CHANGED = DATA / "recorded_rounds_one_card_changed.jsonl"
# What their sources marked, or a reading by hand: the rest agrees.
SHIPPED_DIFFER = [13, 14, 15, 39, 40, 41, 42, 43, 50, 51, 52, 53]


async def test_the_shipped_rounds_differ_exactly_where_the_records_are_wrong(
    url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert await replay(SHIPPED, PIT, url) == 1
    output, errors = capsys.readouterr()
    assert (summary(output), errors) == ((54, 42, 12), "")
    told = lines_told(output)
    assert list(told) == SHIPPED_DIFFER
    assert told[13] == (
        'line 13: {"player":["9","2","Q"],"banker":["7","5"],"shoe":"shoe_48","result":"B","pairs":""}'
        " | services: void: the record has no third card for the Banker, who was called to draw"
        " | differs in void | the record breaks article 9"
    )
    assert told[42] == (
        'line 42: {"player":["T","T"],"banker":["5","4"],"shoe":"shoe_3","result":"P"}'
        ' | services: player TC TD (0), banker 5C 4C (9), result B, pairs "P", natural 1, settled B'
        " | differs in result | the record keeps article 9"
    )
    assert told[43].endswith("| differs in player, banker, result | the record breaks article 9")


async def test_one_changed_card_in_each_agreeing_round_is_reported_each_time(
    url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert await replay(ONE_CARD_CHANGED, PIT, url) == 1
    output = capsys.readouterr().out
    assert summary(output) == (42, 0, 42)
    assert list(lines_told(output)) == list(range(1, 43))


def test_the_changed_rounds_are_the_agreeing_ones_with_one_other_card() -> None:
    records = [json.loads(line) for line in SHIPPED.read_bytes().splitlines()]
    agreeing = [record for number, record in enumerate(records, start=1) if number not in SHIPPED_DIFFER]
    changed = [json.loads(line) for line in ONE_CARD_CHANGED.read_bytes().splitlines()]
    for before, after in zip(agreeing, changed, strict=True):
        sides = ("player", "banker")
        assert {**before, "player": 0, "banker": 0} == {**after, "player": 0, "banker": 0}
        pairs = [pair for side in sides for pair in zip(before[side], after[side], strict=True)]
        assert sum(old != new for old, new in pairs) == 1


async def test_a_file_whose_rounds_all_agree_says_so_in_one_line(
    url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert await replay(written(tmp_path, NATURAL, NATURAL), PIT, url) == 0
    output = capsys.readouterr().out
    assert summary(output) == (2, 2, 0)
    assert len(output.splitlines()) == 1


LACKS = "void: the record lacks one of the first four cards"
NO_THIRD = "void: the record has no third card for the {}, who was called to draw"
PLAYER_NATURAL = 'player 8C KC (8), banker 2C 3C (5), result P, pairs "", natural 1, settled P'

# A record's cards, what the services said, what differs.
MISSHAPEN = [
    (" | ", LACKS, "void"),
    ("8 | ", LACKS, "void"),
    ("8 K | 2", LACKS, "void"),
    ("8 | 2 3 4", LACKS, "void"),
    (" | 2 3", LACKS, "void"),
    ("2 3 | 7 K 4", NO_THIRD.format("Player"), "void"),
    ("2 3 4 | 2 3", NO_THIRD.format("Banker"), "void"),
    ("6 K 5 | 2 3", NO_THIRD.format("Banker"), "void"),
    ("8 K 5 | 2 3", PLAYER_NATURAL, "player"),
    ("8 K | 2 3 5", PLAYER_NATURAL, "banker"),
    ("8 K 5 5 5 5 | 2 3 5 5 5 5 5 5 5 5 5 5", PLAYER_NATURAL, "player, banker"),
]


@pytest.mark.parametrize(("cards", "said", "fields"), MISSHAPEN)
async def test_a_record_with_too_few_or_too_many_cards_differs_and_play_goes_on(
    url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], *, cards: str, said: str, fields: str
) -> None:
    player, banker = cards.split("|")
    misshapen = {"shoe": 1, "player": player.split(), "banker": banker.split()}
    agreeing = {**NATURAL, "shoe": 1}
    assert await replay(written(tmp_path, misshapen, agreeing, misshapen, agreeing), PIT, url) == 1
    output = capsys.readouterr().out
    assert summary(output) == (4, 2, 2)
    told = lines_told(output)
    assert list(told) == [1, 3]
    assert f" | services: {said} | differs in {fields} | the record breaks article 9" in told[1]


async def test_issues_and_other_fields_are_not_read(url: str, tmp_path: Path, capsys: Any) -> None:
    marked = {**NATURAL, "issues": {"any": "thing"}, "hand": [], "source": None}
    assert await replay(written(tmp_path, marked), PIT, url) == 0
    assert summary(capsys.readouterr().out) == (1, 1, 0)


# --- shoes ---------------------------------------------------------------------------------------------------------

# Thirteen rounds of four cards that are one deck: a natural each.
ONE_DECK = (
    ("9 T", "Q Q"), ("9 T", "Q Q"), ("9 T", "K K"), ("9 T", "K K"), ("8 J", "2 2"), ("8 J", "2 2"), ("8 J", "3 3"),
    ("8 J", "3 3"), ("7 A", "6 6"), ("7 A", "6 6"), ("4 4", "5 5"), ("4 4", "5 5"), ("7 A", "7 A"),
)  # fmt: skip


async def test_fewer_than_six_cards_left_start_a_new_shoe_and_the_round_s_line_says_so(
    url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rounds = [{"shoe": 1, "player": player.split(), "banker": banker.split()} for player, banker in ONE_DECK * 8]
    assert await replay(written(tmp_path, *rounds), PIT, url) == 0
    output = capsys.readouterr().out
    assert summary(output) == (104, 104, 0)
    assert list(lines_told(output)) == [104]
    assert lines_told(output)[104].endswith(" | agrees | new shoe: fewer than six cards were left")


async def test_a_card_without_a_copy_left_starts_a_new_shoe_and_the_round_s_line_says_so(
    url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    same = {"shoe": 1, "player": ["9C", "K"], "banker": ["2", "3"], "result": "P"}
    assert await replay(written(tmp_path, *[same] * 17), PIT, url) == 0
    told = lines_told(capsys.readouterr().out)
    assert list(told) == [9, 17]
    assert told[9].endswith(" | agrees | new shoe: no copy of a card was left")


async def test_a_new_shoe_is_said_of_a_differing_round_too(
    url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    same = {"shoe": 1, "player": ["9C", "9C"], "banker": ["9C", "9C"], "result": "T"}
    assert await replay(written(tmp_path, same, same, {**same, "result": "B"}), PIT, url) == 1
    told = lines_told(capsys.readouterr().out)
    assert " | differs in result | the record keeps article 9 | new shoe: no copy" in told[3]
