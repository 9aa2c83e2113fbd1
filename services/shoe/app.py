"""The shoe service: reads `calls`, `bets`, `console` and `scans`, writes `cards`."""

from collections.abc import Mapping, Sequence

from faststream import FastStream
from faststream.specification import AsyncAPI

from schemas.codec import Entry
from schemas.events import Fact, RoundFact
from schemas.facts import CardCorrected, CardDealt, CardOpened, DrawCalled, RoundDecided, RoundVoided
from schemas.house_rules import HouseRules, HouseRulesError, read_house_rules
from services.runtime.broker import PitBroker
from services.runtime.metrics import DRAW_LATENCY
from services.runtime.settings import Settings, SettingsError, read_settings
from services.shoe import core
from services.shoe.dealer import Dealer
from services.shoe.keys import read_keys


class ShoeMeter:
    """`card_to_call`: from the commit of a card acknowledged to the call on it read, for cards that a call follows."""

    def __init__(self) -> None:
        self._card_to_call = DRAW_LATENCY.labels("shoe", "card_to_call")
        self._dealt_at: dict[tuple[str, str, int, int], float] = {}

    def read(self, pit: str, entry: Entry, read_at: float) -> None:
        """A call is read: its round has waited for it since the card."""
        event = entry.event
        if isinstance(event, DrawCalled | RoundDecided):
            dealt_at = self._dealt_at.pop((pit, event.table, event.shoe_number, event.round_number), None)
            if dealt_at is not None:
                self._card_to_call.observe(read_at - dealt_at)

    def committed(self, pit: str, facts: Sequence[Fact], read_at: float, committed_at: float) -> None:
        """A call follows the fourth card and each third card of a side; if they lie face down, their opening."""
        for fact in facts:
            if isinstance(fact, RoundFact) and _may_be_called_from(fact):
                self._dealt_at[pit, fact.table, fact.shoe_number, fact.round_number] = committed_at
            elif isinstance(fact, RoundVoided):
                self._dealt_at.pop((pit, fact.table, fact.shoe_number, fact.round_number), None)


def _may_be_called_from(fact: RoundFact) -> bool:
    match fact:
        case CardDealt(position=3) | CardDealt(position=2, side="banker"):
            return fact.card is not None
        case CardOpened() | CardCorrected():
            return True
        case _:
            return False


def _read_house(settings: Settings) -> Mapping[str, tuple[HouseRules, str]]:
    try:
        return read_house_rules(*settings.house_directories)
    except HouseRulesError as error:
        raise SettingsError(str(error)) from None


settings = read_settings()
house = _read_house(settings)
dealer = Dealer(read_keys(settings.redis_url))
broker = PitBroker(settings)
app = FastStream(broker, logger=None, specification=AsyncAPI(title="shoe", description=__doc__))


@broker.step("shoe", state=core.State, evolve=core.evolve, meter=ShoeMeter(), keys=dealer)
def shoe(state: core.State, entry: Entry) -> list[core.Outcome]:
    """What follows from the entry, with the cards that the keys give for it."""
    return dealer.decide(entry.pit, state, entry, house)
