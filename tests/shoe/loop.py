"""A table with the rules service beside it: what the shoe writes is called from, and the calls come back."""

from collections.abc import Sequence
from typing import Any, cast

from schemas import facts, requests
from schemas.codec import Entry
from schemas.events import Fact
from schemas.facts import StakedSeat
from schemas.house_rules import HouseRules
from services.rules import core as rules_core
from tests.shoe.table import TABLE, Table, house_rules, side_that_draws
from tests.stored import Stored

R: dict[str, Any] = {"table": TABLE, "operator": "dealer"}
NATURAL = ("9C", "KC", "KD", "5C")  # Player 9 against Banker 5
SIX_CARDS = ("2C", "KH", "3C", "5D", "4C", "8C")  # Player 5 draws 4C to 9, Banker 5 draws 8C to 3


class Loop(Table):
    """`prompt`: calls come back at once; else they wait in `calls` until they are taken."""

    def __init__(self, rules: HouseRules | None = None, *, prompt: bool = True, **fields: Any) -> None:
        super().__init__(rules, **fields)
        self.calling = rules_core.State(table=TABLE)
        self._calling_stored = Stored(rules_core.State, TABLE)
        self.calls: list[Fact] = []
        self.prompt = prompt

    def take_entry(self, entry: Entry) -> list[Fact]:
        """What the shoe writes to this entry, and to the calls that it brings about."""
        written = super().take_entry(entry)
        for fact in written:
            self._tell(fact)
        if self.prompt:
            written += self.take_calls()
        return written

    def take_calls(self) -> list[Fact]:
        """Every call that waits comes back."""
        written: list[Fact] = []
        while self.calls:
            written += self.take(self.calls.pop(0))
        return written

    def _tell(self, fact: Fact) -> None:
        entry = Entry("cards", "1-0", "/shoe", "x", fact.type, fact)
        state = rules_core.evolve(self.calling, cast(Any, fact))
        for call in rules_core.decide(state, entry):
            state = rules_core.evolve(state, call)
            self.calls.append(call)
        self.calling = self._calling_stored.reloaded(self.calling, state)

    # --- what a floor asks

    def correct(
        self, number: int, readings: dict[int, str | None] | None = None, shoe: int = 1, **fields: Any
    ) -> list[Fact]:
        """card.correct"""
        cards = tuple(requests.CorrectedCard(ordinal=n, card=card) for n, card in (readings or {}).items())
        asked = R | {"shoe_number": shoe, "round_number": number, "cards": cards, "reason": "seen"} | fields
        return self.take(requests.CardCorrect(**asked))

    def open_card(self, number: int, side: Any, position: int, by: str | None = None, shoe: int = 1) -> list[Fact]:
        """card.open"""
        asked = R | {"shoe_number": shoe, "round_number": number, "side": side, "position": position, "opened_by": by}
        return self.take(requests.CardOpen(**asked))

    def pass_cards(self, number: int, side: Any, to: str | None, shoe: int = 1) -> list[Fact]:
        """holder.pass"""
        return self.take(requests.HolderPass(**R, shoe_number=shoe, round_number=number, side=side, to=to))

    def close_with_holders(
        self, number: int, player: Sequence[str] = (), banker: Sequence[str] = (), shoe: int = 1
    ) -> list[Fact]:
        """betting.closed: the first bettor of each side holds its cards."""
        seats = [
            tuple(StakedSeat(seat=seat, bettor_id=bettor) for seat, bettor in enumerate(bettors, 1))
            for bettors in (player, banker)
        ]
        return self.take(
            facts.BettingClosed(
                table=TABLE,
                shoe_number=shoe,
                round_number=number,
                stakes=0,
                totals={},
                player_holder=player[0] if player else None,
                banker_holder=banker[0] if banker else None,
                player_seats=seats[0],
                banker_seats=seats[1],
            )
        )

    def settled(self, number: int, revision: int = 0, carried_out_minor: int = 0, shoe: int = 1) -> list[Fact]:
        """round.settled"""
        return self.take(
            facts.RoundSettled(
                table=TABLE,
                shoe_number=shoe,
                round_number=number,
                revision=revision,
                result=None,
                stakes=0,
                placed_minor=0,
                carried_in_minor=0,
                returned_minor=0,
                carried_out_minor=carried_out_minor,
                house_minor=0,
                commission_minor=0,
            )
        )

    def play(self, number: int, first: int, *cards: str, carried_out_minor: int = 0) -> None:
        """A physical round of these cards, from its opening to its settlement."""
        self.open_round(number)
        self.close_betting(number)
        self.scan_all(first, *cards)
        self.settled(number, carried_out_minor=carried_out_minor)


def physical(**fields: Any) -> Loop:
    """A physical shoe is loaded."""
    loop = Loop(house_rules(**fields))
    loop.open()
    loop.load("physical")
    return loop


def dealing(**fields: Any) -> Loop:
    """Round 1 takes cards."""
    loop = physical(**fields)
    loop.open_round(1)
    loop.close_betting(1)
    return loop


def waiting_for_bankers_third() -> Loop:
    """Player 2C 3C drew 4C to 9, Banker KC 5C draws against a 4: card 6 is awaited."""
    loop = dealing()
    loop.scan_all(1, "2C", "KC", "3C", "5C", "4C")
    return loop


def two_rounds(**fields: int) -> Loop:
    """Two rounds of a physical shoe are settled."""
    loop = physical(**fields)
    loop.play(1, 1, *NATURAL)
    loop.play(2, 5, *SIX_CARDS)
    return loop


def hands_of(cards: Sequence[str]) -> tuple[list[str], list[str], list[str]]:
    """Articles 7 and 9 by hand: Player's cards, Banker's, and those that no hand takes. LookupError: too few cards."""
    hands = {"player": [cards[0], cards[2]], "banker": [cards[1], cards[3]]}
    left = list(cards[4:])
    while (side := side_that_draws(hands)) and left:
        hands[side].append(left.pop(0))
    if side:
        raise LookupError("the cards do not suffice")
    return hands["player"], hands["banker"], left


def told(written: Sequence[Fact]) -> list[tuple[Any, ...]]:
    """Facts about cards, each as (number, side, position, card), with the word that tells one kind from the other."""
    words = {facts.CardDealt: "dealt", facts.CardCorrected: "corrected", facts.CardOpened: "opened"}
    return [
        (words[type(fact)], fact.card_number, fact.side, fact.position, fact.card)
        for fact in written
        if isinstance(fact, facts.CardDealt | facts.CardCorrected | facts.CardOpened)
    ]
