"""`python -m services …`: the services, and the commands that operators, auditors and newcomers run beside them.

The services' image has no code for what people run on their own machine: run, replay, scenario, odds. There these
commands are not listed, and whoever calls one gets one line that says so.
"""

import os
import signal
import sys

if sys.argv[1:2] in (["shoe"], ["rules"], ["settlement"]):
    # As process 1 of a container Python would ignore SIGTERM until FastStream handles it, a second or more from here.
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))

import contextlib
import importlib
import importlib.util
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NoReturn

import click
from redis.exceptions import RedisError

from schemas.streams import EVENTS
from services.runtime.library import load_functions
from services.runtime.mending import mend_stream
from services.runtime.quarantine import UnknownTable, set_aside, take_off
from services.runtime.settings import SettingsError, read_settings

_NO_FLOOR: Final = importlib.util.find_spec("services.floor") is None
_NO_ODDS: Final = importlib.util.find_spec("services.odds") is None


def _fail(message: str, code: int = 2) -> NoReturn:
    click.echo(message, err=True)
    sys.exit(code)


@contextlib.contextmanager
def _code_of(command: str) -> Iterator[None]:
    """Import the code of a command in the body. When that code is not here, the command ends with one line."""
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name in ("services.floor", "services.odds"):
            _fail(f"{command}: its code is not in this image; run it from the source tree")
        if error.name == "rich":
            _fail(f"{command}: the package rich is not installed; deploy/requirements-run.lock has it")
        raise


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Run baccarat tables on a casino floor, over Redis streams."""


def _run_service(name: str) -> None:
    from services.runtime.broker import run

    try:
        app = importlib.import_module(f"services.{name}.app").app
        run(app)
    except (SettingsError, OSError) as error:
        _fail(f"{name}: {error}")


@main.command()
def shoe() -> None:
    """Run the shoe service, which deals."""
    _run_service("shoe")


@main.command()
def rules() -> None:
    """Run the rules service, which calls."""
    _run_service("rules")


@main.command()
def settlement() -> None:
    """Run the settlement service, which takes bets and pays."""
    _run_service("settlement")


@main.command("load-functions")
def load() -> None:
    """Load the function library on the server of REDIS_URL, as an administrator."""
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
@click.option("--off", is_flag=True, help="Take it off again.")
def quarantine(pit: str, table: str, operator: str, reason: str, off: bool) -> None:
    """Set a table aside, as an administrator: its entries go to rejects until it is taken off again.

    Its stakes stay as they are meanwhile: nothing is paid, returned or lost. What was dealt and bet there has to be put
    right by hand, from the streams.
    """
    try:
        if off:
            take_off(read_settings().redis_url, pit, table)
        else:
            set_aside(read_settings().redis_url, pit, table, operator=operator, reason=reason)
    except (UnknownTable, SettingsError, RedisError, OSError) as error:
        _fail(f"quarantine: {error}")
    if off:
        click.echo(f"table {table} of pit {pit} plays again; what it was told meanwhile stands in rejects")
    else:
        click.echo(f"table {table} of pit {pit} is set aside: its stakes stay as they are, nothing is paid or returned")


@main.command("key-lost")
@click.argument("pit")
@click.argument("table")
@click.option("--operator", required=True, help="Who says so.")
@click.option("--approved-by", required=True, help="Another person, who approves it.")
@click.option("--reason", required=True, help="Why, for the record.")
def key_lost(pit: str, table: str, operator: str, approved_by: str, reason: str) -> None:
    """Void the round of a table whose key is lost for ever, as an administrator. Its shoe ends with it.

    It is refused while any replica of the shoe has the key. Nobody can prove the cards of that round afterwards.
    """
    from services.shoe.lost_key import NotGivenUp, give_up_key

    try:
        url = read_settings().redis_url
        given_up = give_up_key(url, pit, table, operator=operator, approved_by=approved_by, reason=reason)
    except (NotGivenUp, SettingsError, RedisError, OSError) as error:
        _fail(f"key-lost: {error}")
    click.echo(f"table {table} of pit {pit}: {given_up} is void (key_lost)")


@main.command()
@click.argument("pit")
@click.argument("stream", type=click.Choice(list(EVENTS)))
def mend(pit: str, stream: str) -> None:
    """Copy a stream whose ids are used up or lie far ahead, as an administrator, and put the cursors right."""
    try:
        entries, renamed = mend_stream(read_settings().redis_url, pit, stream)
    except (SettingsError, RedisError, OSError) as error:
        _fail(f"mend: {error}")
    click.echo(f"stream {stream} of pit {pit}: entries={entries} with_a_new_id={renamed}")


@main.command(hidden=_NO_FLOOR)
@click.option("--rounds", type=click.IntRange(min=1), envvar="ROUNDS", help="Rounds a table, flat out, no view.")
@click.option("--port", type=click.IntRange(1, 65535), envvar="PORT", help="The embedded server's port.")
@click.option("--redis", "redis_url", envvar="REDIS_URL", help="An existing server instead of the embedded one.")
@click.option("--data", type=click.Path(file_okay=False, path_type=Path), default=Path(".data"), show_default=True)
def run(rounds: int | None, port: int | None, redis_url: str | None, data: Path) -> None:
    """Run a server, the services and a demo floor."""
    with _code_of("run"):
        from services.floor.run import run as run_floor

    sys.exit(run_floor(rounds, port, redis_url, data))


@main.command(hidden=_NO_FLOOR)
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--pit", default="replay", show_default=True, help="The pit to play in.")
@click.option("--redis", "redis_url", help="Running services' server; embedded when not given.")
def replay(file: Path, pit: str, redis_url: str | None) -> None:
    """Play recorded rounds through the services and compare what they say."""
    with _code_of("replay"):
        from services.floor.replay.command import run_replay

    sys.exit(run_replay(file, pit, redis_url))


@main.command(hidden=_NO_ODDS)
@click.argument("house")
@click.option("--decks", type=click.IntRange(1, 12), help="Decks, instead of the rule set's own number.")
@click.option("--json", "as_json", is_flag=True, help="A JSON document instead of tables.")
def odds(house: str, decks: int | None, as_json: bool) -> None:
    """Print the exact chances and the house edge of every bet of a rule set.

    HOUSE is a .toml file, or the name of a rule set, shipped or from BACCARAT_HOUSE_DIR.

    The ways count ordered sequences of six cards from a whole shoe; `total` is how many there are, with n decks
    52n × (52n - 1) × … × (52n - 5). All sequences are equally likely, and each decides one round. When a round takes
    fewer cards, the others stay in the shoe.

    Net odds are to one, after commission. The house edge is the part of a stake that the house keeps on average. Pushes
    are counted. It holds for stakes whose winnings and commission need no rounding.
    """
    from schemas.house_rules import HouseRulesError

    with _code_of("odds"):
        from services.odds.command import run_odds

    try:
        run_odds(house, decks, as_json)
    except (SettingsError, HouseRulesError) as error:
        _fail(f"odds: {error}")


@main.command(hidden=_NO_FLOOR)
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--pit", default="replay", show_default=True, help="The pit to play in.")
@click.option("--redis", "redis_url", help="Running services' server; embedded when not given.")
def scenario(files: tuple[Path, ...], pit: str, redis_url: str | None) -> None:
    """Play scenario files through the services and show where they differ."""
    with _code_of("scenario"):
        from services.floor.scenario.command import run_scenarios

    sys.exit(run_scenarios(files, pit, redis_url))


def run_command_line() -> None:
    """Run a command. A wrong argument ends it with one line on standard error and exit code 2."""
    try:
        sys.exit(main(prog_name="python -m services", standalone_mode=False))
    except click.ClickException as error:
        _fail(error.format_message())
    except click.Abort:
        sys.exit(130)


if __name__ == "__main__":
    run_command_line()
