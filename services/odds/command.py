"""The command `odds`: it finds the house rules, counts the odds and prints them."""

from pathlib import Path

import click
from rich.console import Console

from schemas.house_rules import HouseRules, HouseRulesError, read_house_file, read_house_rules
from services.odds.bets import odds_of_bets
from services.odds.document import document
from services.odds.enumeration import count_classes, count_sequences
from services.odds.events import count_events
from services.odds.picture import picture
from services.runtime.settings import read_settings


def run_odds(house: str, decks: int | None, as_json: bool) -> None:
    """Print the odds of a rule set. `decks` None: the rule set's own number of decks.

    Raises HouseRulesError when there is no such rule set, or it is wrong, and SettingsError for a wrong environment.
    """
    rules = _house_rules(house)
    decks = decks or rules.decks
    ways_of = count_classes(decks)
    events, bets = count_events(ways_of), odds_of_bets(rules, ways_of)
    if as_json:
        click.echo(document(decks, count_sequences(decks), events, bets))
    else:
        Console(highlight=False).print(picture(rules, decks, count_sequences(decks), events, bets))


def _house_rules(house: str) -> HouseRules:
    """The rule set of a file, or the one that the services know by this name."""
    if house.endswith(".toml"):
        rules, _ = read_house_file(Path(house))
        return rules
    known = read_house_rules(*read_settings().house_directories)
    if house not in known:
        raise HouseRulesError(f"no house rules {house!r}, allowed: {', '.join(sorted(known))}, or a .toml file")
    rules, _ = known[house]
    return rules
