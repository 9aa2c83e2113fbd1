"""`python -m tests.bench draw`: measurements, each as a ratio against a peer in the same run."""

import click

from tests.bench import draw


@click.group()
def main() -> None:
    """Measure."""


@main.command("draw")
@click.option("--rounds", default=2_000, show_default=True, help="Rounds of each way.")
@click.option("--fsync", type=click.Choice(["everysec", "always"]), default="everysec", show_default=True)
def draw_command(rounds: int, fsync: str) -> None:
    """The draw decision: a card's commit acknowledged → its call read by the shoe, one table."""
    draw.measure(rounds, fsync)


if __name__ == "__main__":
    main(prog_name="python -m tests.bench")
