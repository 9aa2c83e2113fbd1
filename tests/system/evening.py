"""An evening in one pit with all that guests, dealers and wires get wrong, while each service is killed once."""

import itertools
import uuid
from typing import Any, Final

from schemas.requests import BetCancel, BetChange, ShoeEnd, TableClose
from tests.servers import eventually
from tests.system.floor import Floor
from tests.system.processes import SERVICES, Services

GARBAGE: Final = [b"type", b"\xff\xfe", b"data", b"\x00\x01", b"data", b"once more"]
NO_ENTRY_YET: Final = "9999999999999-0"
NATURAL: Final = ("2C", "KD", "7H", "2D")
DRAWN_TO: Final = ("2C", "KD", "2D", "7H", "5S")


def play(services: Services, client: Any) -> None:
    """Two virtual tables and a physical one, until they are closed and every process has left."""
    first, second, physical = tables = [
        Table(client, services.pits[0], kind) for kind in ("virtual", "virtual", "physical")
    ]
    for table in tables:
        table.begin(kind=table.kind)
        table.repeat_a_request()
        table.play()
    for name in SERVICES:
        crash_in_a_round(services, name, tables)
    first.void_after_bets()
    physical.void_after_bets()
    physical.pull_a_card_too_many(services)
    second.flood_the_close(services)
    second.lose_the_last_bet()
    for table in tables:
        table.play()
        table.answer("cards", f"console/{table.send('console', TableClose(table=table.table, operator='d'))}")
    for name in SERVICES:
        assert services.terminate(name, seconds=3.0) == 0


def crash_in_a_round(services: Services, name: str, tables: "list[Table]") -> None:
    """A service is killed among the requests of all tables; they go on."""
    for table in tables:
        table.open()
    services.kill(name)
    for table in tables:
        table.wager()
        table.deal()
    services.start(name)
    for table in tables:
        table.wait("bets", "round.settled")


class Table(Floor):
    """A table whose cards come from nowhere (virtual) or from this test's scans (physical)."""

    def __init__(self, client: Any, pit: str, kind: str) -> None:
        super().__init__(client, pit)
        self.kind = kind
        self._ordinals = itertools.count(1)

    def play(self) -> None:
        """A round."""
        self.open()
        self.wager()
        self.deal()
        self.wait("bets", "round.settled")

    def open(self) -> None:
        """The round takes bets, and the first are on their way."""
        self.open_round()
        self.wait("cards", "round.opened")
        self.wager()

    def wager(self) -> None:
        """Each kind of request, right and wrong, and some of it twice."""
        kept, taken_back, moved = (self.bet(bet) for bet in ("player", "tie", "banker"))
        for bet in (kept, taken_back, moved, self.bet("player", 1), self.bet("nothing")):
            self.send("wagers", bet)
        bet_id = moved.bet_id
        self.send("wagers", BetChange(**self.round(), bet_id=bet_id, revision=0, bet="player", amount_minor=30_000))
        self.send("wagers", BetChange(**self.round(), bet_id=bet_id, revision=0, bet="player", amount_minor=40_000))
        self.send("wagers", BetCancel(**self.round(), bet_id=taken_back.bet_id, revision=0))
        self.add("wagers", GARBAGE)
        request_id = str(uuid.uuid4())
        bet = self.bet("banker")
        for request in (bet, bet, self.bet("banker")):
            self.send("wagers", request, request_id)

    def deal(self) -> None:
        """The books close and the cards come out; a physical shoe does not wait for that."""
        if self.kind == "physical":
            self.pull(*DRAWN_TO[:2])
        self.close_betting()
        self.send("wagers", self.bet())
        if self.kind == "physical":
            self.pull(None, *DRAWN_TO[3:])
        self.add("scans", GARBAGE)

    def pull(self, *cards: str | None) -> None:
        """Cards out of the physical shoe; one that was not read is entered by hand."""
        for card in cards:
            ordinal = next(self._ordinals)
            self.scan(ordinal, card)
            if card is None:
                self.scan(ordinal, DRAWN_TO[2])

    def repeat_a_request(self) -> None:
        """A console request twice, and its id with something else in it; a refused one; garbage."""
        request_id = str(uuid.uuid4())
        for operator in ("d", "d", "e"):
            asked = ShoeEnd(table=self.table, operator=operator, shoe_number=99, reason="worn")
            self.send("console", asked, request_id)
        self.add("console", GARBAGE)

    def void_after_bets(self) -> None:
        """A round that ends without a result, cards of a physical shoe waiting."""
        self.open()
        if self.kind == "physical":
            self.pull(*NATURAL[:2])
        self.wait("bets", "bet.accepted", 4)
        self.void()
        self.wait("bets", "round.settled")

    def pull_a_card_too_many(self, services: Services) -> None:
        """A fifth card waits when the round is decided on four: the shoe has read it and had nothing to say yet."""
        self.open()
        self.pull(*NATURAL)
        services.hold("rules")
        self.close_betting()
        self.wait("cards", "card.dealt", 4)
        self.pull("5S")
        eventually(lambda: services.has_logged("shoe", f'"scans": "{self.end_of("scans")}"'))
        services.go_on("rules")
        self.wait("bets", "round.settled")

    def flood_the_close(self, services: Services) -> None:
        """Bets before a close and behind it, more than one read takes of each."""
        self.open()
        services.hold("settlement")
        for _ in range(300):
            self.send("wagers", self.bet())
        self.close_betting()
        for _ in range(300):
            self.send("wagers", self.bet())
        services.go_on("settlement")
        self.wait("bets", "round.settled")

    def lose_the_last_bet(self) -> None:
        """A close that names a bet that is not there."""
        self.open()
        self.wager()
        self.close_betting(NO_ENTRY_YET)
        self.wait("bets", "round.settled")
