"""Every request in every phase of a table and its rounds, with right numbers and with wrong ones.

What leaves the table in its phase is followed by the next request; anything else by some more cards, and the next
request gets a new table.
"""

from collections.abc import Iterator
from typing import Any, Final

from schemas.streams import EVENTS, REQUEST_STREAMS
from tests.recording.desk import SUPERVISOR, Desk
from tests.recording.houses import evening_house
from tests.recording.recorder import Recorder
from tests.recording.store import Part

Step = tuple[Any, ...]

# Facts behind which the table is in the phase that it was in.
_STAYS: Final = {
    "bet.accepted",
    "bet.cancelled",
    "bet.changed",
    "bet.rejected",
    "limits.changed",
    "request.refused",
    "request.repeated",
    "seat.left",
    "seat.taken",
    "settlement.adjusted",
    "table.held",
}
_OPEN: Final = ("console", {"type": "table.open"})
_CARDS: Final = ("2H", "3D", "3C", "4C")  # Player draws on 5, Banker stands on 7
_TIE: Final = ("8H", "8D", "KC", "QC")


def _console(type: str, **fields: Any) -> Step:
    return ("console", {"type": type, "approved_by": SUPERVISOR, **fields})


def _bet(bet_id: str, bet: str, amount_minor: int = 30_000, **fields: Any) -> dict[str, Any]:
    return {"type": "bet.place", "bet_id": bet_id, "bet": bet, "amount_minor": amount_minor, **fields}


def _opened(*places: str) -> Iterator[Step]:
    for place in places:
        side, position = place.split()
        yield _console("card.open", side=side, position=int(position))


_SEATS: Final = [{"type": "seat.take", "seat": seat, "bettor_id": name} for seat, name in ((1, "ann"), (2, "bob"))]
_OPENED: Final = (*_OPEN, *_SEATS)
_LOADED: Final = (_OPENED, _console("shoe.load"))
_BETS: Final = (
    "wagers",
    _bet("a", "player", bettor_id="ann", seat=1),
    _bet("b", "banker", 60_000, bettor_id="bob", seat=2),
    _bet("c", "player", 30_000, bettor_id="bob", seat=2),
    _bet("d", "player_pair", 10_000, bettor_id="cid"),
)
_BETTING: Final = (*_LOADED, _console("round.open"), _BETS)
_CLOSED: Final = (*_BETTING, _console("betting.close"))
_FOUR: Final = (*_CLOSED, ("shoe", *_CARDS))
_ALL: Final = ("player 1", "player 2", "banker 1", "banker 2")
_THIRD: Final = (*_FOUR, *_opened(*_ALL))
_SETTLED: Final = (*_THIRD, ("shoe", "4H"), *_opened("player 3"))
_SECOND_SHOE: Final = (*_LOADED, _console("shoe.end"), _console("shoe.load"))
_VOID: Final = (_console("round.open"), _console("round.void"))
_CARRIED: Final = (*_CLOSED, ("shoe", *_TIE), *_opened(*_ALL))

# Of a physical shoe whose cards are held, under rules that want everything approved.
PHYSICAL: Final[dict[str, tuple[Step, ...]]] = {
    "never-opened": (),
    "open": (_OPEN,),
    "closed": (_OPEN, _console("table.close")),
    "held": (_OPEN, _console("table.hold")),
    "loaded": _LOADED,
    "shoe-over": (*_LOADED, _console("shoe.end")),
    "demonstration": (*_LOADED, _console("round.open", demonstration=True), ("shoe", "9H", "2C")),
    "betting": _BETTING,
    "betting-held": (*_BETTING, _console("table.hold")),
    "scanned-early": (*_BETTING, ("shoe", "2H")),
    "two-dealt": (*_CLOSED, ("shoe", "2H", "3D")),
    "dealing-held": (*_CLOSED, ("shoe", "2H"), _console("table.hold"), ("shoe", "3D")),
    "read-failed": (*_CLOSED, ("shoe", "2H", None, "3C")),
    "misdealt": (*_CLOSED, ("shoe", "2H"), ("scans", {"type": "card.scan", "ordinal": 4, "card": "4C"})),
    "third-due": _THIRD,
    "settled": _SETTLED,
    "carried": _CARRIED,
    "carried-on": (*_CARRIED, _console("round.open")),
    "second-shoe": (*_SECOND_SHOE, *_VOID, *_VOID, _console("round.open"), _BETS),
}
# Of a virtual shoe, under rules that want no approval and let stakes be moved.
_VIRTUAL: Final = (_OPENED, _console("shoe.load", kind="virtual"), _console("round.open"), _BETS)
VIRTUAL: Final[dict[str, tuple[Step, ...]]] = {
    "betting": _VIRTUAL,
    "betting-held": (*_VIRTUAL, _console("table.hold")),
    "next-betting": (*_VIRTUAL, _console("betting.close"), _console("round.open")),
}

# What is asked, with the table's present numbers.
_CHANGE: Final = {"type": "bet.change", "bet_id": "a", "amount_minor": 60_000, "bet": "player"}
ASKED: Final[tuple[Step, ...]] = (
    _console("table.open", layouts=1, seats=7, gaming_day="2026-01-01"),
    _console("table.open", house_rules="nobody-s"),
    _console("table.close"),
    _console("shoe.load"),
    _console("shoe.load", kind="virtual", cut_at=20, burned=1),
    _console("shoe.load", kind="virtual", cut_at=20, deck_set="blue"),
    _console("shoe.end"),
    _console("round.open"),
    _console("round.open", burn=2),
    _console("round.open", burn=500),
    _console("round.open", demonstration=True),
    _console("betting.close"),
    _console("betting.close", wagers_through="99999999999999999999-0"),
    _console("round.void"),
    _console("round.void", next_ordinal=6),
    _console("card.open", side="player", position=1),
    _console("card.open", side="banker", position=1, opened_by="bob"),
    _console("card.open", side="player", position=3, opened_by="cid"),
    _console("holder.pass", side="player", to=None),
    _console("holder.pass", side="player", to="bob"),
    _console("holder.pass", side="banker", to="cid"),
    _console("seat.take", seat=3, bettor_id="cid"),
    _console("seat.take", seat=1, bettor_id="cid"),
    _console("seat.take", seat=8, bettor_id="cid"),
    _console("seat.leave", seat=2, bettor_id="bob"),
    _console("seat.leave", seat=2, bettor_id="ann"),
    _console("limits.set", limits={"currency": "HKD", "unit_minor": 500, "bets": {}}),
    _console("limits.set", limits={"currency": "MOP", "unit_minor": 500, "bets": {}}),
    _console("house_rules.change", house_rules="squeeze-approved"),
    _console("house_rules.change", house_rules="macau"),
    _console("house_rules.change", house_rules="six-deck-online"),
    _console("card.correct"),
    _console("card.correct", cards=[{"ordinal": 1, "card": "5H"}]),
    _console("card.correct", cards=[{"ordinal": 2, "card": None}]),
    _console("damage.report"),
    _console("damage.report", card_number=1_000),
    _console("settlement.adjust", bet_id="a", amount_minor=500),
    _console("settlement.adjust", bet_id="d", amount_minor=-(10**9)),
    (*_console("table.hold"), {"type": "table.release"}),
    ("shoe", "9S"),
    ("shoe", None),
    ("shoe", "cut"),
    ("scans", {"type": "card.scan", "card": "9S", "face_up": True}),
    ("scans", {"type": "card.scan", "card": "9S", "ordinal": 1}),
    ("scans", {"type": "card.scan", "card": "9S", "ordinal": 417}),
    ("wagers", _bet("f", "banker", bettor_id="cid")),
    ("wagers", _bet("a", "banker", bettor_id="cid")),
    ("wagers", _bet("g", "player", bettor_id="cid", seat=1)),
    ("wagers", _CHANGE),
    ("wagers", _CHANGE | {"bet": "banker", "amount_minor": 30_000}),
    ("wagers", _CHANGE | {"revision": 7}),
    ("wagers", {"type": "bet.cancel", "bet_id": "b"}),
)
# What is said besides the numbers where those are wrong.
_OF_A_SHOE: Final[dict[str, dict[str, Any]]] = {
    "shoe.load": {},
    "shoe.end": {},
    "damage.report": {},
    "card.scan": {"card": "9S", "ordinal": 2},
    "cut_card.scan": {"ordinal": 2},
}
_OF_A_ROUND: Final[dict[str, dict[str, Any]]] = {
    "round.open": {},
    "betting.close": {},
    "round.void": {},
    "card.open": {"side": "player", "position": 1},
    "holder.pass": {"side": "player", "to": None},
    "card.correct": {},
    "settlement.adjust": {"bet_id": "a", "amount_minor": 500},
    "bet.place": {"bet_id": "f", "bet": "player", "amount_minor": 30_000},
    "bet.change": _CHANGE,
    "bet.cancel": {"bet_id": "a"},
}
_APPROVED: Final = ("round.void", "card.correct", "settlement.adjust", "limits.set", "house_rules.change", "shoe.end")
WRONGLY_IN: Final = ("never-opened", "shoe-over", "betting", "settled", "second-shoe")


def _wrongly() -> Iterator[Step]:
    """The same with other numbers, and without the second person."""
    streams = {event.type: stream for stream in REQUEST_STREAMS for event in EVENTS[stream]}
    for name, said in (_OF_A_SHOE | _OF_A_ROUND).items():
        stream = streams[name]
        approved = {"approved_by": SUPERVISOR} if stream == "console" else {}
        given = {"type": name, **approved, **said}
        yield from ((stream, given | {"shoe_number": number}) for number in (0, 1, 3))
        if name in _OF_A_ROUND:
            yield from ((stream, given | {"round_number": number}) for number in (0, 1, 2, 4))
    for name in _APPROVED:
        asked = {"house_rules": "macau"} if name == "house_rules.change" else {}
        given = {"type": name, **asked, **_OF_A_ROUND.get(name, {})}
        yield ("console", given)
        yield ("console", given | {"approved_by": "dealer"})


def play_phases(seed: int) -> Part:
    """All of it."""
    recorder = Recorder("phases", evening_house(), seed)
    for house_rules, phases in (("squeeze-approved", PHYSICAL), ("macau", VIRTUAL)):
        for phase, steps in phases.items():
            asked = (*ASKED, *_wrongly()) if phase in WRONGLY_IN else ASKED
            _play(recorder, house_rules, phase, steps, asked)
    return recorder.part


def _play(recorder: Recorder, house_rules: str, phase: str, steps: tuple[Step, ...], asked: tuple[Step, ...]) -> None:
    desk: Desk | None = None
    for number, (sends, *given) in enumerate(asked):
        if desk is None:
            desk = Desk(recorder, house_rules, f"{house_rules}-{phase}-{number}")
            for step in steps:
                desk.ask(*step)
        types = {fact.type for fact in desk.ask(sends, *given)}
        stays = _STAYS | {"table.released"} if "table.held" in types else _STAYS
        if types - stays:
            desk.shoe("KS", "QS", "9C", "7D")
            desk = None
