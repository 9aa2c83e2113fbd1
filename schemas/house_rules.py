"""House rules: the authorised, versioned rule set of a table, one TOML file each.

Where the regulation leaves a choice, the choice is a field here. `read_house_rules` checks a whole folder, so that a
service starts with rules that hold together or says in one line which file and field do not.
"""

import codecs
import hashlib
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta

from schemas.cards import RANKS, Result

SHIPPED_DIRECTORY: Final = Path(__file__).parent / "house"
CORRECTABLE_ROUNDS_MAX: Final = 10  # what every service and reader must keep of the rounds behind it

ODDS_MAX: Final = 9_999  # winnings to a stake of one, as many digits as `Odds` has
Odds = Annotated[
    str, Meta(pattern=r"^[1-9][0-9]{0,3}:[1-9][0-9]{0,3}$(?!\n)", description="winnings to stake", examples=["8:1"])
]
TieOption = Literal["withdraw", "keep", "increase", "reduce", "switch"]
Approval = Literal["void", "correct", "adjust", "limits", "house_rules", "early_shoe_end"]


class Condition(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """When a bet wins: all that is named must hold. A perfect pair has one rank and one suit."""

    result: Result | None = None
    player_total: Annotated[int, Meta(ge=0, le=9)] | None = None
    banker_total: Annotated[int, Meta(ge=0, le=9)] | None = None
    player_cards: Annotated[int, Meta(ge=2, le=3)] | None = None
    banker_cards: Annotated[int, Meta(ge=2, le=3)] | None = None
    player_pair: bool | None = None
    banker_pair: bool | None = None
    player_perfect_pair: bool | None = None
    banker_perfect_pair: bool | None = None


class Bet(msgspec.Struct, frozen=True, kw_only=True):
    """A bet that the house offers (articles 13, 17): its name, what it wins on, and its odds to one.

    `player` and `banker` are the bets on the two sides: a tie pushes them, and commission is of `banker` alone. Any
    other bet loses unless its condition holds. A bet with several odds stands several times under its name: the first
    condition that holds counts.
    """

    name: Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_]{0,31}$(?!\n)")]
    condition: Condition
    odds: Odds


class BankerException(msgspec.Struct, frozen=True, kw_only=True):
    """A Banker win with this total pays these odds instead (article 18, amendment 73/2005)."""

    total: Annotated[int, Meta(ge=1, le=9)]
    odds: Odds


class HouseRules(msgspec.Struct, frozen=True, kw_only=True):
    """A house rule set. Counts are cards, rounds or seats; `commission` is per cent of a Banker stake's winnings."""

    name: Annotated[str, Meta(pattern=r"^[a-z0-9][a-z0-9-]{0,63}$(?!\n)")]
    version: Annotated[int, Meta(ge=1)]
    authorisation: str
    regulation: Literal["macau", "none"]

    decks: Annotated[int, Meta(ge=1, le=12)] = 8
    layouts: Annotated[int, Meta(ge=1, le=2)] = 1
    seats: Annotated[int, Meta(ge=1, le=64)] = 7
    dealing: Literal["shoe", "continuous_shuffler", "shuffle_every_round"] = "shoe"

    cut_card_depth: Annotated[int, Meta(ge=0, le=300)] = 14
    rounds_after_cut_card: Annotated[int, Meta(ge=0, le=1)] = 1
    cut_card_first_counts: Literal["round", "last"] = "round"
    burn: Literal["deck_count", "first_card", "fixed", "none"] = "first_card"
    burn_fixed: Annotated[int, Meta(ge=1, le=8)] = 1
    burn_includes_indicator: bool = True
    burn_face_value: Annotated[int, Meta(ge=0, le=10)] = 10
    burn_each_round: Annotated[int, Meta(ge=0, le=8)] = 0
    demonstration_rounds: Annotated[int, Meta(ge=0)] = 0
    demonstration_on_scoreboard: bool = True
    free_rounds: Annotated[int, Meta(ge=0)] | None = None

    bets: tuple[Bet, ...]
    pair_requires_main: bool = False
    both_sides: bool = True
    banker_multiple_of_minimum: bool = False
    banker_exceptions: tuple[BankerException, ...] = ()
    commission: Annotated[int, Meta(ge=0, le=100)] = 5
    commission_rounding: Literal["exact_or_reject", "up_to_unit", "down_to_unit"] = "exact_or_reject"
    differential_policy: Literal["at_close", "at_bet", "reject"] = "at_close"
    tie_stakes: Literal["carry", "return"] = "carry"
    tie_options: tuple[TieOption, ...] = ("keep",)

    holding: bool = False
    holder_tie_break: Literal["first_bet", "lowest_seat"] = "first_bet"
    surplus_card: Literal["burn", "next_round"] = "burn"
    void_keeps_pairs: bool = False
    correctable_rounds: Annotated[int, Meta(ge=0, le=CORRECTABLE_ROUNDS_MAX)] = 3
    approval: tuple[Approval, ...] = ()


class HouseRulesError(Exception):
    """A house file cannot be used: the message names the file, the field and what is allowed, in one line."""


def read_house_rules(*directories: Path) -> dict[str, tuple[HouseRules, str]]:
    """Every rule set of these folders by name, with the SHA-256 (hex) of its file's bytes; earlier folders win.

    Raises HouseRulesError at the first file that cannot be used.
    """
    found: dict[str, tuple[HouseRules, str]] = {}
    for directory in directories:
        if not directory.is_dir():
            raise HouseRulesError(f"{directory}: no such folder of house rules")
        for path in sorted(directory.glob("*.toml")):
            if path.stem not in found:
                found[path.stem] = read_house_file(path)
    return found


def read_house_file(path: Path) -> tuple[HouseRules, str]:
    """One rule set and the SHA-256 (hex) of its file's bytes, or HouseRulesError."""
    try:
        content = path.read_bytes()
        raw = msgspec.toml.decode(content.removeprefix(codecs.BOM_UTF8))
        rules = msgspec.convert(raw, HouseRules, strict=True)
    except OSError as error:
        raise HouseRulesError(f"{path}: {error.strerror}") from None
    except msgspec.ValidationError as error:
        raise HouseRulesError(f"{path}: {_with_what_is_allowed(str(error))}") from None
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise HouseRulesError(f"{path}: not TOML: {error}") from None
    for problem in (*_unknown_fields(raw), *_contradictions(rules)):
        raise HouseRulesError(f"{path}: {problem}")
    if rules.name != path.stem:
        raise HouseRulesError(f"{path}: name: is {rules.name!r}, allowed: the file's own name {path.stem!r}")
    return rules, hashlib.sha256(content).hexdigest()


def all_odds(bet_name: str, rules: HouseRules) -> list[tuple[int, int]]:
    """Winnings to stake of every way in which this bet can win."""
    odds = [bet.odds for bet in rules.bets if bet.name == bet_name]
    if bet_name == "banker":
        odds += [exception.odds for exception in rules.banker_exceptions]
    return [ratio(text) for text in odds]


@cache
def ratio(odds: str) -> tuple[int, int]:
    """Winnings to stake as two numbers: `8:1` is (8, 1)."""
    won, staked = odds.split(":")
    return int(won), int(staked)


def commission_on(bet_name: str, rules: HouseRules) -> int:
    """Per cent of a bet's winnings: commission is of Banker stakes alone (article 18)."""
    return rules.commission if bet_name == "banker" else 0


def face_value(rules: HouseRules, card: str) -> int:
    """How many cards a turned card has burned (article 2): ace 1, 2 to 9 their number, the rest by the house."""
    return rules.burn_face_value if card[0] in "TJQK" else RANKS.index(card[0]) + 1


def _with_what_is_allowed(message: str) -> str:
    """The library names the field's path but not every bound: its JSON Schema does."""
    what, _, path = message.partition(" - at `$.")
    field = path.rstrip("`")
    if missing := re.search("missing required field `(.+)`", what):
        field = f"{field}.{missing[1]}".lstrip(".")
    definitions = msgspec.json.schema(HouseRules)["$defs"]
    schema = definitions["HouseRules"]
    for step in re.findall(r"\w+", field):
        schema = schema["items"] if step.isdigit() else schema["properties"][step]
        schema = schema.get("anyOf", [schema])[0]
        schema = definitions[schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema
    named = {
        "enum": "one of {}",
        "type": "type {}",
        "minimum": "at least {}",
        "maximum": "at most {}",
        "pattern": "{}",
        "examples": "such as {}",
    }
    allowed = ", ".join(text.format(schema[key]) for key, text in named.items() if key in schema)
    return f"{field}: {what}, allowed: {allowed}"


def _unknown_fields(raw: dict[str, Any]) -> Iterator[str]:
    known = HouseRules.__struct_fields__
    yield from (f"{field!r}: unknown field, allowed: {', '.join(known)}" for field in raw if field not in known)
    bets = raw.get("bets", ())
    parts = (
        ("bets", bets, Bet),
        ("bets.condition", [bet["condition"] for bet in bets], Condition),
        ("banker_exceptions", raw.get("banker_exceptions", ()), BankerException),
    )
    for field, rows, struct in parts:
        inner = struct.__struct_fields__
        yield from (
            f"{field}: {name!r}: unknown field, allowed: {', '.join(inner)}"
            for row in rows
            for name in row
            if name not in inner
        )


def _contradictions(rules: HouseRules) -> Iterator[str]:
    """Fields that each are allowed and together are not; regulation `macau` is stricter than `none`."""
    if rules.dealing == "shoe":
        burn = rules.burn_each_round
        needed = 12 + 2 * burn if rules.rounds_after_cut_card else max(12, 6 + burn)
        if rules.cut_card_depth < needed:
            yield f"cut_card_depth: is {rules.cut_card_depth}, allowed: at least {needed} (the last rounds' cards)"
        if rules.cut_card_depth > 52 * rules.decks:
            yield f"cut_card_depth: is {rules.cut_card_depth}, allowed: at most the shoe's {52 * rules.decks} cards"
    else:
        without_a_shoe = {
            "cut_card_depth": (rules.cut_card_depth, 0),
            "burn": (rules.burn, "none"),
            "burn_each_round": (rules.burn_each_round, 0),
            "demonstration_rounds": (rules.demonstration_rounds, 0),
            "holding": (rules.holding, False),
            "surplus_card": (rules.surplus_card, "burn"),
        }
        for field, (value, allowed) in without_a_shoe.items():
            if value != allowed:
                yield f"{field}: is {value!r}, allowed: {allowed!r}, because dealing is {rules.dealing!r}"
    if rules.regulation == "macau":
        if rules.decks < 6:
            yield f"decks: is {rules.decks}, allowed: 6 to 12, because regulation is 'macau' (article 1)"
        if rules.seats < 7:
            yield f"seats: is {rules.seats}, allowed: 7 or more, because regulation is 'macau' (article 1)"
        if rules.demonstration_rounds > 3:
            yield f"demonstration_rounds: is {rules.demonstration_rounds}, allowed: at most 3 (article 2)"
    yield from _contradictions_of_bets(rules.bets)
    totals = [exception.total for exception in rules.banker_exceptions]
    if len(set(totals)) != len(totals):
        yield f"banker_exceptions: are for the totals {totals}, allowed: each total once"
    if "keep" not in rules.tie_options:
        yield "tie_options: lacks 'keep', allowed: any that include 'keep' (article 12)"


def _contradictions_of_bets(bets: tuple[Bet, ...]) -> Iterator[str]:
    """A name may stand several times, but a row that can never count, or that always wins, is a slip of the pen."""
    if not bets:
        yield "bets: are none, allowed: at least one"
    seen = set()
    for number, bet in enumerate(bets):
        if bet.condition == Condition():
            yield f"bets[{number}].condition: names nothing, allowed: {', '.join(Condition.__struct_fields__)}"
        if (bet.name, bet.condition) in seen:
            yield f"bets[{number}]: {bet.name!r} has this condition twice, allowed: each condition once under a name"
        seen.add((bet.name, bet.condition))
        if bet.name in ("player", "banker") and bet.condition.result != bet.name:
            yield f"bets[{number}].condition.result: is {bet.condition.result!r}, allowed: {bet.name!r}, the bet's side"
