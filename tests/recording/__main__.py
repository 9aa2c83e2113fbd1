"""`python -m tests.recording`: plays the evening with the present services and stores it.

To be run when the services are meant to say something else, or when more is to be recorded. It tells what is new: where
the same was asked as before, whatever differs is what the services say differently now.
"""

from itertools import takewhile
from pathlib import Path

import click

from tests.recording.play import play_evening
from tests.recording.store import OUTPUTS, RECORDING, Part, read_recording, write_recording


@click.command()
@click.option("--to", type=click.Path(path_type=Path), default=RECORDING, help="Where to store it; beside the tests.")
def main(to: Path) -> None:
    """Record the evening anew."""
    before = read_recording(to) if to.exists() else {}
    parts = play_evening()
    write_recording(to, parts)
    for part in parts:
        requests = sum(len(turn.written) for turn in part.turns)
        outputs = sum(len(list(part.found(stream))) for stream in OUTPUTS)
        news = _news(before.get(part.name), part)
        click.echo(f"{part.name}: {requests} requests, {outputs} facts and rejects; {news}")
    click.echo(f"{to}: {to.stat().st_size} bytes")


def _news(before: Part | None, part: Part) -> str:
    """Where the outputs are not those that were stored, stream by stream."""
    if before is None:
        return "new"
    news = []
    for stream in OUTPUTS:
        old, new = list(before.found(stream)), list(part.found(stream))
        if old != new:
            same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(old, new, strict=False)))
            news.append(f"{stream} differs from {stream}/{same + 1}-0 on")
    return ", ".join(news) or "the same as before"


if __name__ == "__main__":
    main(prog_name="python -m tests.recording")
