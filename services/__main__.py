"""`python -m services …`: the services and what operators, auditors and newcomers run beside them."""

import importlib
import json
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import NoReturn

import click
from redis import Redis
from redis.exceptions import RedisError

from schemas.streams import pit_key
from services.runtime.library import load_functions
from services.runtime.settings import SettingsError, read_settings


def _fail(message: str, code: int = 2) -> NoReturn:
    click.echo(message, err=True)
    sys.exit(code)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Runs baccarat tables on a casino floor, over Redis streams."""


def _run_service(name: str) -> None:
    from services.runtime.broker import run

    try:
        app = importlib.import_module(f"services.{name}.app").app
        run(app)
    except (SettingsError, OSError) as error:
        _fail(f"{name}: {error}")


@main.command()
def shoe() -> None:
    """The shoe service: deals."""
    _run_service("shoe")


@main.command()
def rules() -> None:
    """The rules service: calls."""
    _run_service("rules")


@main.command()
def settlement() -> None:
    """The settlement service: takes bets and pays."""
    _run_service("settlement")


@main.command("load-functions")
def load() -> None:
    """Load the function library, as an administrator, on the server of REDIS_URL."""
    try:
        load_functions(read_settings().redis_url)
    except (SettingsError, RedisError, OSError) as error:
        _fail(f"load-functions: {error}")
    click.echo("function library baccarat loaded")


@main.command()
@click.argument("pit")
@click.argument("table")
@click.option("--operator", required=True, help="Who sets it aside.")
@click.option("--reason", required=True, help="Why, for the record.")
def quarantine(pit: str, table: str, operator: str, reason: str) -> None:
    """Set a table aside, as an administrator: its entries go to rejects until it is taken off again."""
    record = {"operator": operator, "reason": reason, "time": datetime.now(UTC).isoformat()}
    try:
        with Redis.from_url(read_settings().redis_url) as client:
            client.hset(pit_key(pit, "quarantine"), table, json.dumps(record))
    except (SettingsError, RedisError, OSError) as error:
        _fail(f"quarantine: {error}")
    click.echo(f"table {table} of pit {pit} is set aside")


@main.command()
@click.option("--rounds", type=click.IntRange(min=1), envvar="ROUNDS", help="Rounds a table, flat out, no view.")
@click.option("--port", type=click.IntRange(1, 65535), envvar="PORT", help="The embedded server's port.")
@click.option("--redis", "redis_url", envvar="REDIS_URL", help="An existing server instead of the embedded one.")
@click.option("--data", type=click.Path(file_okay=False, path_type=Path), default=Path(".data"), show_default=True)
def run(rounds: int | None, port: int | None, redis_url: str | None, data: Path) -> None:
    """Server, services and a demo floor from one command."""
    from services.floor.run import run as run_floor

    sys.exit(run_floor(rounds, port, redis_url, data))


@main.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--pit", default="replay", show_default=True, help="The pit to play in.")
@click.option("--redis", "redis_url", help="Running services' server; embedded when not given.")
def replay(file: Path, pit: str, redis_url: str | None) -> None:
    """Play recorded rounds through the services and compare what they say."""
    from services.floor.replay import run_replay

    sys.exit(run_replay(file, pit, redis_url))


@main.command()
@click.argument("house")
@click.option("--decks", type=click.IntRange(1, 12), help="Decks, instead of the rule set's own number.")
@click.option("--json", "as_json", is_flag=True, help="A JSON document instead of tables.")
def odds(house: str, decks: int | None, as_json: bool) -> None:
    """Exact chances and house edge of every bet of a rule set.

    HOUSE is the name of a rule set, shipped or from BACCARAT_HOUSE_DIR, or a .toml file.

    All is counted in ordered sequences of six cards from a whole shoe, each as likely as any other; `total` is how many
    there are (52n × (52n - 1) × … × (52n - 5) with n decks). A sequence decides one round, and the cards that the round
    leaves in the shoe belong to it. Net odds are to one, after commission. The house edge is the part of a stake that
    the house keeps on average, pushes counted, at stakes whose winnings and commission need no rounding.
    """
    from schemas.house_rules import HouseRulesError
    from services.odds.run import run as run_odds

    try:
        run_odds(house, decks, as_json)
    except (SettingsError, HouseRulesError) as error:
        _fail(f"odds: {error}")


@main.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--pit", default="replay", show_default=True, help="The pit to play in.")
@click.option("--redis", "redis_url", help="Running services' server; embedded when not given.")
def scenario(files: tuple[Path, ...], pit: str, redis_url: str | None) -> None:
    """Play scenario files through the services and show where they differ."""
    from services.floor.scenario import run_scenarios

    sys.exit(run_scenarios(files, pit, redis_url))


def run_command_line() -> None:
    """Run a command; a wrong argument is one line on standard error and exit code 2."""
    try:
        sys.exit(main(prog_name="python -m services", standalone_mode=False))
    except click.ClickException as error:
        _fail(error.format_message())
    except click.Abort:
        sys.exit(130)


if __name__ == "__main__":
    run_command_line()
