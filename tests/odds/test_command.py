"""`python -m services odds` as its users see it."""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.odds.test_side_bets import SIDE_BETS_FILE

MACAU_BETS = ["player", "banker", "tie", "player_pair", "banker_pair"]


def odds(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "services", "odds", *arguments],
        env={"PATH": os.environ["PATH"], "COLUMNS": "80", **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_the_document_of_eight_decks_is_exact_and_takes_less_than_ten_seconds() -> None:
    started_at_seconds = time.monotonic()
    done = odds("macau", "--json")
    assert time.monotonic() - started_at_seconds < 10
    assert (done.returncode, done.stderr) == (0, "")
    document = json.loads(done.stdout)
    assert list(document) == ["decks", "total", "ways", "bets"]
    assert document["decks"] == 8
    assert document["total"] == "4998398275503360"
    assert document["ways"] == {
        "banker": "2292252566437888",
        "player": "2230518282592256",
        "tie": "475627426473216",
        "four_cards": "1893735611458560",
        "five_cards": "1516734808780800",
        "six_cards": "1587927855264000",
        "natural": "1714696016515584",
        "player_pair": "373374329013504",
        "banker_pair": "373374329013504",
        "both_pairs": "27894653699328",
    }
    assert [bet["name"] for bet in document["bets"]] == MACAU_BETS
    assert document["bets"][3] == {
        "name": "player_pair",
        "win_ways": {"11": "373374329013504"},
        "push_ways": "0",
        "lose_ways": "4625023946489856",
        "house_edge": "43/415",
        "house_edge_percent": "10.3614",
    }


SHIPPED = [
    ("macau", 8, "19/20", "1.0579"),
    ("macau-sjm", 8, "19/20", "1.0579"),
    ("macau-no-commission", 8, "1", "1.4581"),
    ("macau-continuous-shuffler", 8, "19/20", "1.0579"),
    ("six-deck-online", 6, "19/20", "1.0558"),
]


@pytest.mark.parametrize(("house", "decks", "banker_pays", "banker_edge_percent"), SHIPPED)
def test_each_shipped_rule_set_has_its_odds(house: str, decks: int, banker_pays: str, banker_edge_percent: str) -> None:
    document = json.loads(odds(house, "--json").stdout)
    (banker,) = [bet for bet in document["bets"] if bet["name"] == "banker"]
    assert document["decks"] == decks
    assert banker_pays in banker["win_ways"]
    assert banker["house_edge_percent"] == banker_edge_percent


def test_another_number_of_decks_than_the_rule_set_s_own_can_be_asked() -> None:
    document = json.loads(odds(str(SIDE_BETS_FILE), "--decks", "1", "--json").stdout)
    assert document["decks"] == 1
    assert document["total"] == str(52 * 51 * 50 * 49 * 48 * 47)
    # Of 51 other cards 3 make the pair: (48 - 11 * 3) / 51.
    assert document["bets"][3]["house_edge"] == "5/17"


def test_a_rule_set_of_the_house_s_own_folder_is_known_by_its_name(tmp_path: Path) -> None:
    shutil.copy(SIDE_BETS_FILE, tmp_path)
    document = json.loads(odds("side-bets", "--json", BACCARAT_HOUSE_DIR=str(tmp_path)).stdout)
    (lucky_6,) = [bet for bet in document["bets"] if bet["name"] == "lucky_6"]
    assert lucky_6["win_ways"] == {"12": "186173936904192", "20": "83058367551488"}
    assert lucky_6["house_edge_percent"] == "16.6836"


def test_people_get_tables_that_fit_a_terminal_of_80_columns() -> None:
    done = odds(str(SIDE_BETS_FILE))
    assert (done.returncode, done.stderr) == (0, "")
    lines = [re.sub(" +", " ", line).strip() for line in done.stdout.splitlines()]
    for line in (
        "side-bets version 1, 8 decks",
        "4,998,398,275,503,360 ordered sequences of six cards, all equally likely",
        "莊 Banker wins 2,292,252,566,437,888 45.8597 2.18",
        "Both pairs 27,894,653,699,328 0.5581 179.19",
        "player 1:1 44.6247 9.5156 45.8597 1.2351",
        "banker 19:20 45.8597 9.5156 44.6247 1.0579",
        "lucky_6 12:1 3.7247 – 94.6136 16.6836",
        "20:1 1.6617",
    ):
        assert line in lines
    assert max(len(line) for line in done.stdout.splitlines()) <= 80


REFUSED = [
    (("macao",), ["odds: ", "'macao'", "macau, ", "six-deck-online", "a .toml file"]),
    (("missing.toml",), ["odds: ", "missing.toml", "No such file"]),
    (("broken.toml",), ["odds: ", "broken.toml", "decks", "at most 12"]),
    (("macau", "--decks", "0"), ["--decks", "1<=x<=12"]),
    (("macau", "--decks", "13"), ["--decks", "1<=x<=12"]),
    (("macau", "--decks", "eight"), ["--decks", "eight"]),
    ((), ["HOUSE"]),
]


@pytest.mark.parametrize(("arguments", "named"), REFUSED, ids=[" ".join(arguments) for arguments, _ in REFUSED])
def test_a_mistake_is_one_readable_line_and_exit_code_2(
    tmp_path: Path, arguments: tuple[str, ...], named: list[str]
) -> None:
    (tmp_path / "broken.toml").write_text('name = "broken"\nversion = 1\ndecks = 99\n')
    done = odds(*(str(tmp_path / name) if name.endswith(".toml") else name for name in arguments))
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert all(word in line for word in named), line


def test_the_help_says_what_is_counted() -> None:
    said = " ".join(odds("--help").stdout.split())
    assert "ordered sequences of six cards" in said
    assert "`total` is how many there are" in said
