"""House rules: what ships loads, and what cannot be used says file, field and what is allowed, in one line."""

import hashlib
from pathlib import Path

import pytest

from schemas.house_rules import (
    SHIPPED_DIRECTORY,
    HouseRules,
    HouseRulesError,
    face_value,
    read_house_file,
    read_house_rules,
)

SHIPPED = ("macau", "macau-continuous-shuffler", "macau-no-commission", "macau-sjm", "six-deck-online")
MACAU = (SHIPPED_DIRECTORY / "macau.toml").read_text()
CONTINUOUS = (SHIPPED_DIRECTORY / "macau-continuous-shuffler.toml").read_text()


def refusal(folder: Path, content: str | bytes, name: str = "macau.toml") -> str:
    """The one line that says why this content is no house file, behind the file's name."""
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    with pytest.raises(HouseRulesError) as error:
        read_house_file(path)
    message = str(error.value)
    assert message.startswith(f"{path}: ")
    assert "\n" not in message
    return message.removeprefix(f"{path}: ")


def changed(old: str, new: str, content: str = MACAU) -> str:
    assert old in content
    return content.replace(old, new, 1)


def test_every_shipped_file_loads_under_its_own_name() -> None:
    found = read_house_rules(SHIPPED_DIRECTORY)
    assert set(found) == set(SHIPPED)
    assert all(rules.name == name for name, (rules, _) in found.items())


@pytest.mark.parametrize("name", SHIPPED)
def test_the_hash_is_of_the_files_bytes(name: str) -> None:
    _, digest = read_house_rules(SHIPPED_DIRECTORY)[name]
    assert digest == hashlib.sha256((SHIPPED_DIRECTORY / f"{name}.toml").read_bytes()).hexdigest()


def offered(rules: HouseRules) -> dict[str, str]:
    return {bet.name: bet.odds for bet in rules.bets}


def test_shipped_sets_are_what_they_are_named_for() -> None:
    sets = {name: rules for name, (rules, _) in read_house_rules(SHIPPED_DIRECTORY).items()}
    all_five = {"player": "1:1", "banker": "1:1", "tie": "8:1", "player_pair": "11:1", "banker_pair": "11:1"}
    macau, online = sets["macau"], sets["six-deck-online"]
    assert (macau.decks, macau.burn, macau.rounds_after_cut_card, macau.commission) == (8, "first_card", 1, 5)
    assert (macau.regulation, macau.tie_stakes, offered(macau)) == ("macau", "carry", all_five)
    assert offered(sets["macau-sjm"]) == all_five
    without = sets["macau-no-commission"]
    assert without.commission == 0
    assert [(exception.total, exception.odds) for exception in without.banker_exceptions] == [(6, "1:2")]
    assert sets["macau-continuous-shuffler"].dealing == "continuous_shuffler"
    assert (online.regulation, online.decks, online.dealing) == ("none", 6, "shuffle_every_round")
    assert (online.burn, online.cut_card_depth, online.tie_stakes, online.commission) == ("none", 0, "return", 5)
    assert offered(online) == {"player": "1:1", "banker": "1:1", "tie": "8:1"}


TIE = 'condition = { result = "tie" }\n'
TIE_OPTIONS = 'tie_options = ["withdraw", "keep", "increase", "reduce", "switch"]'

# Each line: what stands in a sound file, what stands there instead, the field named, and what it says of it.
FAULTS = [
    # unknown fields
    ("decks = 8", "deks = 8", "'deks'", "unknown field, allowed: name, version, authorisation, regulation, decks, "),
    ("decks = 8", '"a\\nb" = 8', "'a\\nb'", "unknown field, allowed: name, "),
    ('odds = "8:1"', 'odds = "8:1"\ncolour = "red"', "bets", "'colour': unknown field, allowed: name, condition, odds"),
    # missing fields
    ("version = 2\n", "", "version", "missing required field `version`, allowed: type integer, at least 1"),
    (TIE, "", "bets[2].condition", "missing required field `condition`, allowed: type object"),
    # wrong types
    ("decks = 8", 'decks = "8"', "decks", "got `str`, allowed: type integer, at least 1, at most 12"),
    ("decks = 8", "decks = 8.0", "decks", "got `float`, allowed: type integer"),
    ("decks = 8", "decks = true", "decks", "got `bool`, allowed: type integer"),
    ("decks = 8", "decks = 2026-01-01", "decks", "got `date`, allowed: type integer"),
    ("seats = 7", "seats = 7\nholding = 1", "holding", "got `int`, allowed: type boolean"),
    (TIE_OPTIONS, 'tie_options = "keep"', "tie_options", "got `str`, allowed: type array"),
    ("seats = 7", "seats = 7\napproval = [1]", "approval[0]", "got `int`, allowed: one of ['adjust', 'correct', "),
    ("seats = 7", 'seats = 7\napproval = ["shoe.end"]', "approval[0]", "allowed: one of ['adjust', 'correct', "),
    ('odds = "8:1"', "odds = 8", "bets[2].odds", "got `int`, allowed: type string"),
    ("seats = 7", 'seats = 7\nfree_rounds = "many"', "free_rounds", "got `str`, allowed: type integer, at least 0"),
    # out of bounds
    ("decks = 8", "decks = 13", "decks", "<= 12, allowed: type integer, at least 1, at most 12"),
    ("decks = 8", "decks = 0", "decks", ">= 1, allowed: type integer, at least 1, at most 12"),
    ("version = 2", "version = 0", "version", "allowed: type integer, at least 1"),
    ("commission = 5", "commission = 101", "commission", "allowed: type integer, at least 0, at most 100"),
    ("seats = 7", "seats = 7\nburn_fixed = 9", "burn_fixed", "allowed: type integer, at least 1, at most 8"),
    ("seats = 7", "seats = 7\nfree_rounds = -1", "free_rounds", "allowed: type integer, at least 0"),
    (
        "seats = 7",
        'seats = 7\nbanker_exceptions = [{ total = 0, odds = "1:2" }]',
        "banker_exceptions[0].total",
        "allowed: type integer, at least 1, at most 9",
    ),
    ('odds = "8:1"', 'odds = "9 for 1"', "bets[2].odds", "such as ['8:1']"),
    ('odds = "8:1"', 'odds = "0:1"', "bets[2].odds", "such as ['8:1']"),
    ('name = "macau"', 'name = "Macau"', "name", "allowed: type string, ^[a-z0-9]"),
    # a word that is none of the choices
    ('burn = "first_card"', 'burn = "third"', "burn", "allowed: one of ['deck_count', 'first_card', 'fixed', 'none']"),
    ('regulation = "macau"', 'regulation = "nevada"', "regulation", "allowed: one of ['macau', 'none']"),
    (TIE, 'condition = "tie"\n', "bets[2].condition", "got `str`, allowed: type object"),
    (TIE, 'condition = { result = "draw" }\n', "bets[2].condition.result", "allowed: one of ['banker', "),
    (TIE, "condition = { player_total = 10 }\n", "bets[2].condition.player_total", "at least 0, at most 9"),
    (TIE, "condition = { colour = 1 }\n", "bets.condition", "'colour': unknown field, allowed: result, player_total, "),
    (TIE_OPTIONS, 'tie_options = ["hold"]', "tie_options[0]", "allowed: one of ['increase', 'keep', "),
    # contradictions
    ("cut_card_depth = 14", "cut_card_depth = 11", "cut_card_depth", "is 11, allowed: at least 12"),
    (
        "cut_card_depth = 14",
        "cut_card_depth = 14\nburn_each_round = 2",
        "cut_card_depth",
        "is 14, allowed: at least 16",
    ),
    (
        "cut_card_depth = 14\nrounds_after_cut_card = 1",
        "cut_card_depth = 13\nburn_each_round = 8\nrounds_after_cut_card = 0",
        "cut_card_depth",
        "is 13, allowed: at least 14",
    ),
    ("decks = 8", "decks = 5", "decks", "is 5, allowed: 6 to 12, because regulation is 'macau'"),
    ("seats = 7", "seats = 6", "seats", "is 6, allowed: 7 or more, because regulation is 'macau'"),
    ("demonstration_rounds = 3", "demonstration_rounds = 4", "demonstration_rounds", "is 4, allowed: at most 3"),
    (TIE, "condition = {}\n", "bets[2].condition", "names nothing, allowed: result, player_total, "),
    ('name = "tie"', 'name = "player"', "bets[2].condition.result", "is 'tie', allowed: 'player', the bet's side"),
    (
        'name = "banker_pair"\ncondition = { banker_pair',
        'name = "player_pair"\ncondition = { player_pair',
        "bets[4]",
        "'player_pair' has this condition twice, allowed: each condition once under a name",
    ),
    (TIE_OPTIONS, "tie_options = []", "tie_options", "lacks 'keep'"),
    (
        "seats = 7",
        'seats = 7\nbanker_exceptions = [{ total = 6, odds = "1:2" }, { total = 6, odds = "1:3" }]',
        "banker_exceptions",
        "allowed: each total once",
    ),
    ('name = "macau"', 'name = "other"', "name", "is 'other', allowed: the file's own name 'macau'"),
]


@pytest.mark.parametrize(("old", "new", "field", "says"), FAULTS)
def test_a_fault_names_file_field_and_what_is_allowed(
    old: str, new: str, field: str, says: str, tmp_path: Path
) -> None:
    message = refusal(tmp_path, changed(old, new))
    assert message.startswith(f"{field}: ")
    assert says in message


@pytest.mark.parametrize("needed", ["void", "correct", "adjust", "limits", "house_rules", "early_shoe_end"])
def test_a_house_may_want_another_persons_approval(needed: str, tmp_path: Path) -> None:
    (tmp_path / "macau.toml").write_text(changed("seats = 7", f'seats = 7\napproval = ["{needed}"]'))
    rules, _ = read_house_file(tmp_path / "macau.toml")
    assert rules.approval == (needed,)


@pytest.mark.parametrize(
    ("old", "new", "field"),
    [
        ("cut_card_depth = 0", "cut_card_depth = 14", "cut_card_depth"),
        ('burn = "none"', 'burn = "fixed"', "burn"),
        ('burn = "none"', 'burn = "none"\nburn_each_round = 1', "burn_each_round"),
        ('burn = "none"', 'burn = "none"\ndemonstration_rounds = 1', "demonstration_rounds"),
        ('burn = "none"', 'burn = "none"\nholding = true', "holding"),
        ('burn = "none"', 'burn = "none"\nsurplus_card = "next_round"', "surplus_card"),
    ],
)
def test_a_continuous_shuffler_has_no_cut_burn_demonstration_holding_or_card_left_over(
    old: str, new: str, field: str, tmp_path: Path
) -> None:
    message = refusal(tmp_path, changed(old, new, CONTINUOUS), "macau-continuous-shuffler.toml")
    assert message.startswith(f"{field}: is ")
    assert message.endswith("because dealing is 'continuous_shuffler'")


def test_a_cut_card_cannot_lie_deeper_than_the_shoe(tmp_path: Path) -> None:
    content = changed('regulation = "macau"', 'regulation = "none"')
    content = changed("cut_card_depth = 14", "cut_card_depth = 60", changed("decks = 8", "decks = 1", content))
    assert refusal(tmp_path, content) == "cut_card_depth: is 60, allowed: at most the shoe's 52 cards"


def test_without_a_regulation_fewer_decks_and_seats_are_allowed(tmp_path: Path) -> None:
    content = changed('regulation = "macau"', 'regulation = "none"')
    (tmp_path / "macau.toml").write_text(changed("decks = 8", "decks = 1", changed("seats = 7", "seats = 1", content)))
    rules, _ = read_house_file(tmp_path / "macau.toml")
    assert (rules.decks, rules.seats) == (1, 1)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "name: Object missing required field `name`"),
        (b"decks = ", "not TOML: Invalid value (at"),
        (b"decks 8", "not TOML: "),
        (b"decks = 8\ndecks = 9", "not TOML: "),
        (b'name = "\xff"', "not TOML: 'utf-8' codec can't decode"),
        (b"\x00", "not TOML: "),
        (b"a = " + b"[" * 5_000, "not TOML: maximum recursion depth"),
        (b"a = " + b"9" * 5_000, "not TOML: Exceeds the limit"),
        (b'{"name": "macau"}', "not TOML: "),
    ],
    ids=lambda value: repr(value)[:20],
)
def test_a_file_that_is_not_toml_says_so(content: bytes, says: str, tmp_path: Path) -> None:
    assert refusal(tmp_path, content).startswith(says)


def test_a_folder_with_a_house_files_name_is_named(tmp_path: Path) -> None:
    (tmp_path / "x.toml").mkdir()
    with pytest.raises(HouseRulesError, match=r"x\.toml: Is a directory"):
        read_house_rules(tmp_path)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(HouseRulesError, match=r"no-such\.toml: No such file or directory"):
        read_house_file(tmp_path / "no-such.toml")


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(HouseRulesError, match="no-such: no such folder of house rules"):
        read_house_rules(SHIPPED_DIRECTORY, tmp_path / "no-such")


def test_the_houses_own_folder_wins_over_the_shipped_one(tmp_path: Path) -> None:
    (tmp_path / "macau.toml").write_text(changed("version = 2", "version = 9"))
    (tmp_path / "own.toml").write_text(changed('name = "macau"', 'name = "own"'))
    (tmp_path / "notes.txt").write_text("not a rule set")
    found = read_house_rules(tmp_path, SHIPPED_DIRECTORY)
    assert set(found) == {*SHIPPED, "own"}
    assert found["macau"][0].version == 9


def test_a_file_in_the_houses_own_folder_that_cannot_be_used_stops_everything(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text(MACAU)
    with pytest.raises(HouseRulesError, match=r"own\.toml: name: is 'macau'"):
        read_house_rules(tmp_path, SHIPPED_DIRECTORY)


@pytest.mark.parametrize(
    ("card", "burned"), [("AS", 1), ("2H", 2), ("9D", 9), ("TC", 10), ("JC", 10), ("QC", 10), ("KC", 10)]
)
def test_the_turned_cards_face_says_how_many_burn(card: str, burned: int) -> None:
    rules, _ = read_house_rules(SHIPPED_DIRECTORY)["macau"]
    assert face_value(rules, card) == burned


@pytest.mark.parametrize(("card", "burned"), [("AS", 1), ("9D", 9), ("TC", 0), ("KC", 0)])
def test_a_house_may_count_court_cards_as_nothing(card: str, burned: int, tmp_path: Path) -> None:
    (tmp_path / "macau.toml").write_text(changed("burn_face_value = 10", "burn_face_value = 0"))
    rules, _ = read_house_file(tmp_path / "macau.toml")
    assert face_value(rules, card) == burned
