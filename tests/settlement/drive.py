"""A table for the settlement core alone: the shoe's facts and the floor's requests go in, the facts of `bets` come out.

Each entry is a step of its own. Behind it the records that it changed are written, and a state is loaded from all
records: it must be the same, with the sums and indexes of its parts.
"""

from itertools import count
from typing import Any, Final

import msgspec

from schemas.cards import Result
from schemas.codec import Entry, decode, encode_request
from schemas.events import Fact, Request
from schemas.facts import (
    BetRejected,
    BettingClosed,
    CardsFact,
    LimitsChanged,
    RequestRefused,
    RoundEnded,
    RoundOpened,
    RoundVoided,
    ShoeStarted,
    StakeReduced,
    StakeReturned,
    TableClosed,
    TableOpened,
)
from schemas.house_rules import SHIPPED_DIRECTORY, HouseRules, read_house_file
from schemas.limits import BetLimits, Limits
from schemas.requests import BetCancel, BetChange, BetPlace, BettingClose, ConsoleRequest
from services.settlement.books.terms import Terms, make_terms
from services.settlement.core import State, decide, evolve
from tests.settlement.stored import Stored, whole

TABLE: Final = "macau-1"
MACAU: Final = read_house_file(SHIPPED_DIRECTORY / "macau.toml")[0]
NO_COMMISSION: Final = read_house_file(SHIPPED_DIRECTORY / "macau-no-commission.toml")[0]
ONLINE: Final = read_house_file(SHIPPED_DIRECTORY / "six-deck-online.toml")[0]

_MAIN: Final = BetLimits(minimum_minor=100, maximum_minor=10_000)
_PAIR: Final = BetLimits(minimum_minor=20, maximum_minor=2_000)
LIMITS: Final = Limits(
    currency="HKD",
    unit_minor=5,
    bets={
        "player": _MAIN,
        "banker": _MAIN,
        "tie": BetLimits(minimum_minor=20, maximum_minor=2_000, total_minor=3_000),
        "player_pair": _PAIR,
        "banker_pair": _PAIR,
    },
)


def house(rules: HouseRules = MACAU, **changes: Any) -> HouseRules:
    return msgspec.structs.replace(rules, **changes)


def limits(**changes: Any) -> Limits:
    return msgspec.structs.replace(LIMITS, **changes)


def terms(rules: HouseRules = MACAU, *, unit_minor: int = 5, **changes: Any) -> Terms:
    return make_terms(house(rules, **changes), limits(unit_minor=unit_minor))


def ended(result: Result, player_total: int = 7, banker_total: int = 7, pairs: str = "", **changes: Any) -> RoundEnded:
    """A round's end; its cards matter to side bets alone. `pairs`: `player`, `banker` or `both`."""
    fields: dict[str, Any] = {"shoe_number": 1, "round_number": 1, "revision": 0, "demonstration": False} | changes
    return RoundEnded(
        table=TABLE,
        result=result,
        player_cards=("2C", "3D"),
        banker_cards=("2S", "3H"),
        player_total=player_total,
        banker_total=banker_total,
        natural=False,
        player_pair=pairs in ("player", "both"),
        banker_pair=pairs in ("banker", "both"),
        **fields,
    )


def reason(answer: Fact) -> str | None:
    """Why a request was turned down; None when it was not."""
    return answer.reason if isinstance(answer, BetRejected | RequestRefused) else None


class Table:
    """One table, open with its first shoe (unless told otherwise), and all facts that it has written."""

    def __init__(self, rules: HouseRules = MACAU, bounds: Limits = LIMITS, *, is_open: bool = True) -> None:
        self.rules, self.bounds = rules, bounds
        self.state, self.stored = State(table=TABLE), Stored(TABLE)
        self.facts: list[Fact] = []
        self.limits_version = 1
        self.shoe_number = self.round_number = 0
        self._entry_ids, self._request_ids = count(1), count(1)
        self.last_request: tuple[Request, str, str] | None = None
        if is_open:
            self.open()
            self.start_shoe()

    # --- the shoe ---

    def open(self) -> list[Fact]:
        return self.tell(
            TableOpened(
                table=TABLE,
                house_rules=self.rules,
                house_rules_sha256="0" * 64,
                limits=self.bounds,
                limits_version=1,
                layouts=1,
                seats=7,
                gaming_day=None,
            )
        )

    def close(self) -> list[Fact]:
        return self.tell(TableClosed(table=TABLE, reason="end of the day"))

    def start_shoe(self) -> list[Fact]:
        self.shoe_number, self.round_number = self.shoe_number + 1, 0
        return self.tell(
            ShoeStarted(
                table=TABLE,
                shoe_number=self.shoe_number,
                kind="virtual",
                decks=8,
                cut_card_depth=14,
                burned=1,
                burn_card=None,
                cut_by=None,
                cut_at=None,
                shuffled_by=None,
                deck_set=None,
            )
        )

    def set_limits(self, **changes: Any) -> None:
        """Other limits, in force from the next round on."""
        self.bounds, self.limits_version = msgspec.structs.replace(self.bounds, **changes), self.limits_version + 1
        self.tell(LimitsChanged(table=TABLE, limits=self.bounds, limits_version=self.limits_version))

    def open_round(self, *, demonstration: bool = False) -> list[Fact]:
        self.round_number += 1
        return self.tell(
            RoundOpened(
                table=TABLE,
                shoe_number=self.shoe_number,
                round_number=self.round_number,
                demonstration=demonstration,
                burned=0,
                cards_left=400,
                last_round=False,
                limits_version=self.limits_version,
            )
        )

    def end_round(
        self,
        result: Result,
        player_total: int = 7,
        banker_total: int = 7,
        pairs: str = "",
        *,
        demonstration: bool = False,
    ) -> list[Fact]:
        return self.tell(
            ended(
                result,
                player_total,
                banker_total,
                pairs,
                shoe_number=self.shoe_number,
                round_number=self.round_number,
                demonstration=demonstration,
            )
        )

    def void_round(self) -> list[Fact]:
        return self.tell(
            RoundVoided(
                table=TABLE, shoe_number=self.shoe_number, round_number=self.round_number, revision=0, reason="misdeal"
            )
        )

    # --- the floor ---

    def place(self, bet_id: str, bet: str = "player", amount_minor: int = 100, **other: Any) -> Fact:
        fields: dict[str, Any] = {"bettor_id": "ann", "currency": "HKD"} | self._about() | other
        return self.send(BetPlace(table=TABLE, bet_id=bet_id, bet=bet, amount_minor=amount_minor, **fields))

    def change(self, bet_id: str, revision: int, bet: str, amount_minor: int, **other: Any) -> Fact:
        return self.send(
            BetChange(
                table=TABLE,
                bet_id=bet_id,
                revision=revision,
                bet=bet,
                amount_minor=amount_minor,
                **self._about() | other,
            )
        )

    def cancel(self, bet_id: str, revision: int, **other: Any) -> Fact:
        return self.send(BetCancel(table=TABLE, bet_id=bet_id, revision=revision, **self._about() | other))

    def close_betting(self, **other: Any) -> Fact:
        return self.send_for_all(
            BettingClose(table=TABLE, operator="dealer-1", wagers_through="0-0", **self._about() | other)
        )[-1]

    def cuts_at_closing(self) -> list[tuple[str, int, int, str]]:
        """bet_id, before, after, reason: of every stake that is handed back, in part or whole, as betting closes."""
        written = len(self.facts)
        self.close_betting()
        *cuts, closed = self.facts[written:]
        assert isinstance(closed, BettingClosed)
        told = []
        for cut in cuts:
            assert isinstance(cut, StakeReduced | StakeReturned)
            assert isinstance(cut, StakeReduced) == (cut.after_minor > 0)
            told.append((cut.bet_id, cut.before_minor, cut.after_minor, cut.reason))
        return told

    def send(self, request: Request, id_: str | None = None) -> Fact:
        """The only answer to a request from gateway `floor`; under an id of its own unless one is given."""
        return self._only(self.send_for_all(request, id_))

    def send_for_all(self, request: Request, id_: str | None = None) -> list[Fact]:
        """All facts that answer it."""
        stream = "console" if isinstance(request, ConsoleRequest) else "wagers"
        entry_id, id_ = f"{next(self._entry_ids)}-0", id_ or f"r{next(self._request_ids)}"
        pairs = encode_request(request, id=id_, source="/floor", time="2026-01-01T00:00:00.000000Z")
        self.last_request = request, id_, f"{stream}/{entry_id}"
        return self._step(decode(stream, entry_id, pairs))

    def send_again(self) -> Fact:
        """The answer to one more copy of the last request."""
        assert self.last_request is not None
        request, id_, _ = self.last_request
        return self.send(request, id_)

    # --- both ---

    def tell(self, fact: Fact) -> list[Fact]:
        """What a fact of the shoe brings about."""
        return self._step(self._entry("cards", fact, "/baccarat/pit/shoe", next(self._entry_ids)))

    def _about(self) -> dict[str, Any]:
        return {"shoe_number": self.shoe_number, "round_number": self.round_number}

    def _entry(self, stream: str, event: Any, source: str, number: int) -> Entry:
        return Entry(
            stream=stream,
            entry_id=f"{number}-0",
            source=source,
            id=f"x{number}",
            type=event.type,
            event=event,
            identity=f"{source} x{number}",
        )

    def _only(self, facts: list[Fact]) -> Fact:
        assert len(facts) == 1, "a request is answered by exactly one fact"
        return facts[0]

    def _step(self, entry: Entry) -> list[Fact]:
        """What the runtime does with one entry. A state is never changed in place."""
        before = whole(self.state)
        state = evolve(self.state, entry.event) if isinstance(entry.event, CardsFact) else self.state
        outcomes = decide(state, entry)
        for outcome in outcomes:
            state = evolve(state, outcome)
        assert whole(self.state) == before
        self.state = self.stored.write(self.state, state)
        facts: list[Fact] = [outcome for outcome in outcomes if isinstance(outcome, Fact)]
        self.facts += facts
        return facts


def opened(rules: HouseRules = MACAU, bounds: Limits = LIMITS) -> Table:
    """A table with its first round open."""
    table = Table(rules, bounds)
    table.open_round()
    return table
