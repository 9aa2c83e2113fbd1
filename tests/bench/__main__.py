"""`python -m tests.bench draw`, `cores`: measurements, the draw loop as a ratio against its peers in the same run."""

import click

from tests.bench import cores, draw, layouts


@click.group()
def main() -> None:
    """Measure."""


@main.command("draw")
@click.option("--rounds", default=2_000, show_default=True, help="Rounds of each way.")
@click.option("--fsync", type=click.Choice(["everysec", "always"]), default="everysec", show_default=True)
def draw_command(rounds: int, fsync: str) -> None:
    """The draw decision: a card's commit acknowledged → its call read by the shoe, one table."""
    draw.measure(rounds, fsync)


@main.command("cores")
@click.option("--rounds", default=1_000, show_default=True, help="Rounds played.")
def cores_command(rounds: int) -> None:
    """One event of ordinary play: what it costs each core; and a bet among many."""
    cores.measure(rounds)
    layouts.measure()


if __name__ == "__main__":
    main(prog_name="python -m tests.bench")
