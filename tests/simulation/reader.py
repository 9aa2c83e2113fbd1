"""What anybody can check who reads the streams of facts: money, cards, ends. Asks the services nothing.

Money is summed from single facts. A round's books are kept by revision: a correction states them whole once more.
"""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from schemas import facts
from schemas.codec import Entry
from schemas.events import RoundFact
from schemas.house_rules import HouseRules

Place = tuple[str, int, int]


def place_of(fact: RoundFact) -> Place:
    """The table, shoe and round that a fact is about."""
    return fact.table, fact.shoe_number, fact.round_number


@dataclass
class Books:
    """One betting round: what came in, what went back before any result, and each revision's stakes."""

    carried_in: int
    placed: int = 0
    handed_back: int = 0
    revision: int = -1
    bets: dict[int, list[facts.SettledBet]] = field(default_factory=dict)
    settled: facts.RoundSettled | None = None


@dataclass
class Table:
    """One table as its facts tell it."""

    rules: HouseRules
    shoe_number: int = 0
    betting_round: Place | None = None
    layout: dict[str, int] = field(default_factory=dict)


class Reader:
    """Takes facts in the order of their writing, and fails at the first that breaks a promise."""

    def __init__(self) -> None:
        self.tables: dict[str, Table] = {}
        self.books: dict[Place, Books] = {}
        self.demonstrations: set[Place] = set()
        self.closed: set[Place] = set()
        self.ends: dict[Place, list[str]] = {}
        self.bet_of: dict[str, str] = {}
        self.staked: dict[str, int] = {}
        self.end_of: dict[str, Any] = {}
        self.returned_outside = 0
        self.faces: dict[tuple[str, int, int], dict[int, str | None]] = {}
        self.rounds = 0

    def read(self, entry: Entry) -> None:
        """The next fact."""
        match entry.event:
            case facts.TableOpened() | facts.HouseRulesChanged() as fact:
                table = self.tables.setdefault(fact.table, Table(fact.house_rules))
                table.rules = fact.house_rules
            case facts.ShoeStarted() as fact:
                self.tables[fact.table].shoe_number = fact.shoe_number
                self._see(fact.table, fact.shoe_number, 0, 0, fact.burn_card)
            case facts.RoundOpened() as fact:
                self._open(fact)
            case facts.CardDealt() | facts.CardOpened() | facts.CardCorrected() | facts.CardFoundFaceUp() as fact:
                self._card(fact)
            case facts.RoundEnded() | facts.RoundVoided() as fact:
                ends = self.ends[place_of(fact)]
                assert fact.revision == len(ends), f"revision {fact.revision} after {ends}"
                ends.append(fact.type)
            case facts.BettingClosed() as fact:
                self._close(fact)
            case facts.BetAccepted() | facts.BetChanged() | facts.BetCancelled() as fact:
                self._wager(fact)
            case facts.StakeReduced() | facts.StakeReturned() as fact:
                self._hand_back(fact)
            case facts.BetsSettled() as fact:
                books = self.books[place_of(fact)]
                books.bets.setdefault(fact.revision, []).extend(fact.bets)
            case facts.RoundSettled() as fact:
                self._settle(fact)
            case _:
                pass

    def check(self) -> None:
        """What holds whenever all is quiet."""
        placed = sum(books.placed for books in self.books.values())
        settled = [books for books in self.books.values() if books.settled]
        returned = sum(books.handed_back for books in self.books.values() if not books.settled)
        returned += sum(books.settled.returned_minor for books in settled if books.settled)
        house = sum(books.settled.house_minor for books in settled if books.settled)
        on_layout = sum(sum(table.layout.values()) for table in self.tables.values())
        assert placed == returned + self.returned_outside + house + on_layout, "money came or went"
        live = {bet_id for table in self.tables.values() for bet_id in table.layout}
        assert self.bet_of.keys() == live | self.end_of.keys(), "a stake is neither on a layout nor ended"
        assert not live & self.end_of.keys(), "an ended stake is on a layout"
        for (name, _, _), faces in self.faces.items():
            table = self.tables[name]
            common = Counter(face for face in faces.values() if face).most_common(1)
            assert not common or common[0][1] <= table.rules.decks, f"{common} of {table.rules.decks} decks"

    def _see(self, table: str, shoe_number: int, round_number: int, card_number: int, face: str | None) -> None:
        """A shuffler has all cards back with each round."""
        if self.tables[table].rules.dealing == "shoe":
            round_number = 0
        self.faces.setdefault((table, shoe_number, round_number), {})[card_number] = face

    def _open(self, fact: facts.RoundOpened) -> None:
        place, table = place_of(fact), self.tables[fact.table]
        assert place not in self.ends, "a round opens once"
        self.ends[place] = []
        self.rounds += 1
        if fact.demonstration:
            self.demonstrations.add(place)
        else:
            table.betting_round = place
            self.books[place] = Books(sum(table.layout.values()))

    def _card(self, fact: facts.CardDealt | facts.CardOpened | facts.CardCorrected | facts.CardFoundFaceUp) -> None:
        place = place_of(fact)
        if place not in self.demonstrations and place not in self.closed:
            # A reading that is put right while bets are taken is answered, and shows neither place nor face.
            assert isinstance(fact, facts.CardCorrected), f"before betting closed: {fact}"
            assert (fact.side, fact.card) == (None, None), f"before betting closed: {fact}"
        if not isinstance(fact, facts.CardFoundFaceUp):
            self._see(fact.table, fact.shoe_number, fact.round_number, fact.card_number, fact.card)

    def _close(self, fact: facts.BettingClosed) -> None:
        layout = self.tables[fact.table].layout
        totals: Counter[str] = Counter()
        for bet_id, amount in layout.items():
            totals[self.bet_of[bet_id]] += amount
        assert (fact.stakes, fact.totals) == (len(layout), dict(totals))
        assert place_of(fact) not in self.closed, "betting closes once"
        self.closed.add(place_of(fact))

    def _wager(self, fact: facts.BetAccepted | facts.BetChanged | facts.BetCancelled) -> None:
        books, layout = self.books[place_of(fact)], self.tables[fact.table].layout
        assert place_of(fact) not in self.closed, "a wager behind the close"
        before = 0
        if isinstance(fact, facts.BetAccepted):
            assert fact.bet_id not in self.bet_of, "a stake is accepted once"
        else:
            before = layout[fact.bet_id]
            assert fact.before_minor == before
        books.placed += max(0, fact.amount_minor - before)
        books.handed_back += max(0, before - fact.amount_minor)
        self.bet_of[fact.bet_id] = fact.bet
        self._leave(fact.table, fact.bet_id, fact.amount_minor, fact.type)

    def _hand_back(self, fact: facts.StakeReduced | facts.StakeReturned) -> None:
        assert fact.before_minor == self.tables[fact.table].layout[fact.bet_id]
        assert 0 <= fact.after_minor < fact.before_minor
        back = fact.before_minor - fact.after_minor
        if self.books[place_of(fact)].settled:
            self.returned_outside += back
        else:
            self.books[place_of(fact)].handed_back += back
        self._leave(fact.table, fact.bet_id, fact.after_minor, fact.type)

    def _leave(self, table: str, bet_id: str, amount: int, how: Any) -> None:
        """What lies on the layout now; nothing is a stake's end."""
        layout = self.tables[table].layout
        if amount:
            layout[bet_id] = amount
            self.staked[bet_id] = max(amount, self.staked.get(bet_id, 0))
            return
        layout.pop(bet_id, None)
        assert self.end_of.get(bet_id) is None, f"{bet_id} ended by {self.end_of[bet_id]} and by {how}"
        self.end_of[bet_id] = how

    def _settle(self, fact: facts.RoundSettled) -> None:
        place = place_of(fact)
        money = (fact.placed_minor, fact.carried_in_minor, fact.returned_minor, fact.carried_out_minor)
        if place in self.demonstrations:
            assert (fact.stakes, *money, fact.house_minor, fact.commission_minor) == (0,) * 7
            return
        books, table = self.books[place], self.tables[fact.table]
        bets = books.bets.get(fact.revision, [])
        assert fact.revision == books.revision + 1
        assert len({bet.bet_id for bet in bets}) == len(bets) == fact.stakes
        if books.settled:
            before = {bet.bet_id: (bet.bet, bet.stake_minor) for bet in books.bets[books.revision]} if bets else {}
            assert {bet.bet_id: (bet.bet, bet.stake_minor) for bet in bets} == before
        else:
            assert {bet.bet_id: bet.stake_minor for bet in bets} == table.layout
        books.revision, books.settled = fact.revision, fact
        returned = books.handed_back + sum(bet.return_minor for bet in bets)
        carried = sum(bet.stake_minor for bet in bets if bet.carried)
        assert money == (books.placed, books.carried_in, returned, carried)
        assert fact.house_minor == sum(bet.stake_minor - bet.return_minor for bet in bets if not bet.carried)
        assert fact.commission_minor == sum(bet.commission_minor for bet in bets)
        assert fact.placed_minor + fact.carried_in_minor == returned + carried + fact.house_minor
        for bet in bets:
            self._end(place, table, bet)

    def _end(self, place: Place, table: Table, bet: facts.SettledBet) -> None:
        most = bet.stake_minor * (1 + self._odds_max(table, bet.bet))
        assert 0 <= bet.return_minor <= most, f"{bet} returns more than {most}"
        ended = ("settled", place)
        if self.end_of.get(bet.bet_id) == ended:  # a revision before this one
            del self.end_of[bet.bet_id]
        assert bet.bet_id not in self.end_of, f"{bet.bet_id} ended by {self.end_of[bet.bet_id]} and by {ended}"
        if bet.carried:
            assert (bet.outcome, bet.return_minor) == ("push", 0)
            assert table.betting_round == place, "carried into books that are long open"
            table.layout[bet.bet_id] = bet.stake_minor
        else:
            table.layout.pop(bet.bet_id, None)
            self.end_of[bet.bet_id] = ended

    def _odds_max(self, table: Table, name: str) -> int:
        """Rounded up, to one."""
        odds = [bet.odds.split(":") for bet in table.rules.bets if bet.name == name]
        return max(-(-int(winnings) // int(stake)) for winnings, stake in odds)
