"""What does not decode, who has said what before, and more at once than one read takes."""

import json
from collections.abc import Sequence
from typing import Any, Final

from schemas.codec import ENTRY_BYTES_MAX
from tests.recording.hand import PLAYER_WINS, dealt, seated, staked
from tests.recording.recorder import Recorder
from tests.simulation.pit import TIME

_IDENTITIES_KEPT: Final = 256
_ASKED: Final[dict[str, tuple[str, dict[str, Any]]]] = {
    "console": ("table.hold", {"operator": "dealer", "reason": "a dispute"}),
    "scans": ("card.scan", {"shoe_number": 1, "ordinal": 1, "card": "8H"}),
    "wagers": ("bet.cancel", {"shoe_number": 1, "round_number": 1, "bet_id": "a", "revision": 0}),
}


def _entry(stream: str, table: str, **fields: bytes | str | None) -> list[bytes]:
    """A request that is right but for these fields; null leaves one out."""
    name, said = _ASKED[stream]
    right = {
        "specversion": "1.0",
        "id": "one",
        "source": "/wire",
        "type": name,
        "subject": table,
        "time": TIME,
        "data": json.dumps({"table": table, **said}),
    }
    changed = {name: value for name, value in (right | fields).items() if value is not None}
    return [part if isinstance(part, bytes) else part.encode() for pair in changed.items() for part in pair]


def play_undecodable(recorder: Recorder) -> None:
    """Each way of being no event, on each stream that others write."""
    desk = seated(recorder, "macau", "undecodable")
    table = "scenario-undecodable"
    for stream, (name, said) in _ASKED.items():
        right = json.dumps({"table": table, **said})
        for fields in _wrong_fields(table, right):
            recorder.write(stream, _entry(stream, table, **fields))
            recorder.run()
        recorder.write(stream, [*_entry(stream, table), b"id", b"two"])
        recorder.write(stream, [])
        recorder.write(stream, [b"type", name.encode()])
        recorder.write(stream, _entry(stream, table, id="traced", traceparent=f"00-{'1' * 32}-{'2' * 16}-01"))
        recorder.run()
    for name in ("betting.close", "seat.take", "settlement.adjust", "round.open"):
        recorder.write("console", _entry("console", table, type=name))
    desk.hear()
    desk.console("table.release")


def _wrong_fields(table: str, right: str) -> Sequence[dict[str, bytes | str | None]]:
    return (
        {"specversion": None},
        {"specversion": "0.3"},
        {"id": None},
        {"id": ""},
        {"id": "x" * 257},
        {"id": b"\xff\xfe"},
        {"source": None},
        {"source": ""},
        {"type": None},
        {"type": "card.dealt"},
        {"type": "no.such"},
        {"type": b"\x00\xc3"},
        {"subject": None},
        {"subject": "another"},
        {"time": None},
        {"time": "yesterday"},
        {"traceparent": b"\xff"},
        {"data": None},
        {"data": ""},
        {"data": "{"},
        {"data": "[]"},
        {"data": "{}"},
        {"data": right + " "},
        {"data": right + "}"},
        {"data": "[" * 2_000},
        {"data": b"\xff" + right.encode()},
        {"data": right.replace('"shoe_number": 1', '"shoe_number": 1, "shoe_number": 1')},
        {"data": right.replace(table, "x" * 65), "subject": "x" * 65},
        {"data": right.replace(table, "a\\nb"), "subject": "a\nb"},
        {"data": json.dumps({**json.loads(right), "more": {"a": [1, {"b": 2}]}})},
        {"data": right[:-1] + ', "more": {"a": 1, "a": 2}}'},
        {"data": right[:-1] + f', "more": "{"x" * ENTRY_BYTES_MAX}"}}'},
        {"data": right.replace(table, "賭枱-é"), "subject": "賭枱-é"},
    )


def play_identities(recorder: Recorder) -> None:
    """The same once more, something else under the same identity, and what is forgotten by and by."""
    desk = seated(recorder, "macau", "identities")
    bet = {"type": "bet.place", "bet": "player"}
    adjust = {"type": "settlement.adjust", "bet_id": "a"}
    once: tuple[tuple[str, dict[str, Any], dict[str, Any]], ...] = (
        ("console", {"type": "round.open", "id": "open"}, {"burn": 1}),
        ("wagers", bet | {"id": "place", "bet_id": "a", "amount_minor": 30_000}, {"bet": "banker"}),
        ("wagers", bet | {"id": "low", "bet_id": "b", "amount_minor": 5}, {"bet_id": "c"}),
        ("console", {"type": "seat.leave", "id": "leave", "bettor_id": "ann", "seat": 1}, {"seat": 2}),
        ("console", {"type": "betting.close", "id": "close"}, {"wagers_through": "1-0"}),
        ("scans", {"type": "card.scan", "id": "scan", "ordinal": 1, "card": "8H"}, {"card": "9H"}),
        ("console", {"type": "limits.set", "id": "limits"}, {"operator": "another"}),
        ("console", {"type": "round.void", "id": "void"}, {"reason": "another"}),
        ("console", adjust | {"id": "adjust", "amount_minor": 500}, {"amount_minor": -500}),
    )
    for stream, request, other in once:
        desk.ask(stream, request)
        desk.ask(stream, request)
        desk.ask(stream, request | other)
        desk.write(stream, request)
        desk.ask(stream, request)
    dealt(desk, PLAYER_WINS, "-2")
    dealt(desk, PLAYER_WINS, "-3")
    for stream, request, _ in once:
        desk.ask(stream, request)
    last = (
        {"type": "table.release", "id": "last-of-the-shoe"},
        {"type": "seat.leave", "id": "last-of-the-books", "bettor_id": "cid", "seat": 3},
    )
    desk.ask("console", *last)
    for number in range(1, _IDENTITIES_KEPT + 1):
        desk.write("console", {"type": "table.release"}, {"type": "seat.leave", "bettor_id": "cid", "seat": 3})
        if number >= _IDENTITIES_KEPT - 1:
            desk.ask("console", *last)
    for stream, request, _ in once:
        desk.ask(stream, request)


def play_floods(recorder: Recorder) -> None:
    """Several hundred wagers behind one another, and closes that name more or fewer of them than there are."""
    for name, stakes, through in (("all", 140, None), ("some", 270, 100), ("none", 10, 0), ("future", 270, 10**15)):
        desk = seated(recorder, "macau", f"flood-{name}", "virtual")
        desk.console("round.open")
        before = len(recorder.pit.streams["wagers"])
        for number in range(stakes):
            bet = ("player", "banker", "tie", "player_pair", "banker_pair")[number % 5]
            stake = {"type": "bet.place", "bet_id": f"{name}-{number}", "bet": bet, "amount_minor": 30_000}
            desk.write("wagers", stake | {"bettor_id": f"bettor-{number % 41}"})
        named = {} if through is None else {"wagers_through": f"{before + through}-0"}
        desk.write("console", {"type": "betting.close", **named})
        desk.write("wagers", {"type": "bet.cancel", "bet_id": f"{name}-0", "revision": 0})
        desk.hear()
    dealt(seated(recorder, "macau", "賭枱-é"), PLAYER_WINS, "-ñ")
    few = seated(recorder, "macau", "few", max_stakes=2)
    few.console("round.open")
    for number in range(10):
        few.bet(f"few-{number}", "player", 30_000)
    desks = [seated(recorder, "macau", f"together-{number}", "virtual") for number in range(6)]
    for desk in desks:
        staked(desk)
    for desk in desks:
        desk.write("console", {"type": "betting.close"})
    for desk in desks:
        desk.hear()
