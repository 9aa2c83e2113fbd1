"""The books of one table's round, computed from the facts of `bets`. Pure.

A reader may be a round further in `bets` than in `cards`, or a round behind. So `Books` and `Play` each name their own
round. The functions at the end of this file answer the questions that need both.
"""

from typing import Literal

import msgspec
from msgspec.structs import replace

from schemas import facts
from schemas.events import Event, RoundFact
from services.floor.play_of_table import Play


class Stake(msgspec.Struct, frozen=True):
    """A stake on the layout."""

    bet: str
    amount_minor: int


class Books(msgspec.Struct, frozen=True):
    """The books of one round.

    `answered`: how many of the round's wagers have their answer. `rounds`: how many rounds the table has settled.
    `refusals`: how many requests settlement has refused. `revision`: how often the round was corrected.
    """

    table: str
    shoe_number: int = 0
    round_number: int = 0
    books_are: Literal["open", "closed", "settled"] = "settled"
    revision: int = 0
    answered: int = 0
    refusals: int = 0
    rounds: int = 0
    stakes: dict[str, Stake] = {}
    totals_minor: dict[str, int] = {}
    returns_minor: dict[str, int] = {}
    carried: bool = False
    settled: facts.RoundSettled | None = None

    @property
    def round(self) -> tuple[int, int]:
        """The round that these books are of: its shoe's number and its own."""
        return self.shoe_number, self.round_number


def books_after(books: Books, event: Event) -> Books:
    """The books after a fact of `bets`."""
    match event:
        case facts.StakeReduced():
            stake = books.stakes.get(event.bet_id)
            kept = Stake(stake.bet if stake else "", event.after_minor)
            return _with_stakes(books, {**books.stakes, event.bet_id: kept})
        case facts.StakeReturned():
            return _with_stakes(books, _without(books.stakes, event.bet_id))
        case facts.RequestRefused():
            return replace(books, refusals=books.refusals + 1)
        case RoundFact() if (event.shoe_number, event.round_number) < books.round:
            # A late bet, or a correction: these books are of a later round.
            return books
        case facts.BetAccepted() | facts.BetChanged():
            books = _at_round_of(books, event)
            stakes = {**books.stakes, event.bet_id: Stake(event.bet, event.amount_minor)}
            return _with_stakes(replace(books, answered=books.answered + 1), stakes)
        case facts.BetCancelled():
            books = _at_round_of(books, event)
            return _with_stakes(replace(books, answered=books.answered + 1), _without(books.stakes, event.bet_id))
        case facts.BetRejected():
            books = _at_round_of(books, event)
            return replace(books, answered=books.answered + 1)
        case facts.BettingClosed():
            books = _at_round_of(books, event)
            return replace(books, books_are="closed", totals_minor=event.totals)
        case facts.BetsSettled():
            return _bets_settled(_at_round_of(books, event), event)
        case facts.RoundSettled():
            books = _at_round_of(books, event)
            return replace(books, books_are="settled", settled=event, rounds=books.rounds + (event.revision == 0))
        case _:
            return books


def books_of_round(books: Books, shoe_number: int, round_number: int) -> Books:
    """The books of a round that begins. Carried stakes stay on the layout, all else is new."""
    fresh = replace(
        books,
        shoe_number=shoe_number,
        round_number=round_number,
        books_are="open",
        revision=0,
        answered=0,
        returns_minor={},
        carried=False,
        settled=None,
    )
    return _with_stakes(fresh, books.stakes)


def _at_round_of(books: Books, event: RoundFact) -> Books:
    if books.round == (event.shoe_number, event.round_number):
        return books
    return books_of_round(books, event.shoe_number, event.round_number)


def _with_stakes(books: Books, stakes: dict[str, Stake]) -> Books:
    totals: dict[str, int] = {}
    for stake in stakes.values():
        totals[stake.bet] = totals.get(stake.bet, 0) + stake.amount_minor
    return replace(books, stakes=stakes, totals_minor=totals)


def _without(stakes: dict[str, Stake], bet_id: str) -> dict[str, Stake]:
    return {other: stake for other, stake in stakes.items() if other != bet_id}


def _bets_settled(books: Books, event: facts.BetsSettled) -> Books:
    """The totals stay as they were bet, so that they can be shown. Only what is carried stays on the layout."""
    if event.revision > books.revision:
        # A correction names all stakes of the round again.
        books = replace(books, revision=event.revision, returns_minor={}, carried=False)
    stakes = dict(books.stakes)
    returns = dict(books.returns_minor)
    for bet in event.bets:
        returns[bet.bet] = returns.get(bet.bet, 0) + bet.return_minor
        if not bet.carried:
            stakes.pop(bet.bet_id, None)
    carried = books.carried or any(bet.carried for bet in event.bets)
    return replace(books, stakes=stakes, returns_minor=returns, carried=carried)


def is_settled(play: Play, books: Books) -> bool:
    """Whether the table's round is settled, as far as both streams were read."""
    return play.round_number == 0 or (books.books_are == "settled" and books.round >= play.round)


def betting_is_open(play: Play, books: Books) -> bool:
    """Whether the table's round still takes bets."""
    if play.round_is != "open":
        return False
    return books.round < play.round or (books.round == play.round and books.books_are == "open")
