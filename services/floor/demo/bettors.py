"""The demo's bettors: which wagers they send in a round. Pure: the same seed, table and round give the same wagers.

So after a restart in the middle of a round the same requests are sent under the same identities, and each takes effect
once.
"""

import random
import uuid
from collections.abc import Sequence
from typing import Final

import msgspec

from schemas.limits import Limits
from schemas.requests import BetCancel, BetChange, BetPlace, WagerRequest

NAMES: Final = ("ana", "bruno", "chan", "dong", "elsa", "fong", "gao")
# Every multiple of this amount is payable, and so is 5 % of it. So no wager is rejected for its commission.
CHIP_MINOR: Final = 10_000
_NAMESPACE: Final = uuid.UUID("6a1c7d0e-54a5-4b0e-9d6f-0c9ab3a9f2b7")


class PlannedWager(msgspec.Struct, frozen=True):
    """A wager, the identity of its request, and the moment at which it is sent: 0 to 1 of the betting time."""

    request: WagerRequest
    id: str
    moment: float


def wagers_of_round(
    *, seed: str, table: str, shoe_number: int, round_number: int, limits: Limits
) -> tuple[PlannedWager, ...]:
    """A few plausible wagers of one round, in the order of their moments. Sometimes a bettor changes or cancels one."""
    name = f"{seed}/{table}/{shoe_number}/{round_number}"
    whim = random.Random(name)  # noqa: S311 - what bettors fancy is no secret; cards never come from here
    planned: list[PlannedWager] = []
    for bettor in whim.sample(NAMES, whim.randint(2, 4)):
        for bet in _bets_of_bettor(whim, limits):
            moment = whim.uniform(0.05, 0.7)
            bet_id = str(uuid.uuid5(_NAMESPACE, f"{name}/{bettor}/{bet}"))
            place = BetPlace(
                table=table,
                shoe_number=shoe_number,
                round_number=round_number,
                bet_id=bet_id,
                bettor_id=bettor,
                bet=bet,
                amount_minor=_amount_minor(whim, bet, limits),
                currency=limits.currency,
            )
            planned.append(_planned(place, moment))
            if whim.random() < 0.15:
                planned.append(_planned(_second_thought(whim, place, limits), moment + whim.uniform(0.05, 0.2)))
    return tuple(sorted(planned, key=lambda wager: wager.moment))


def _bets_of_bettor(whim: random.Random, limits: Limits) -> Sequence[str]:
    main = whim.choices(("player", "banker"), (45, 55))[0]
    others = [bet for bet in limits.bets if bet not in ("player", "banker")]
    extra = whim.choice(others) if others and whim.random() < 0.3 else None
    return [bet for bet in (main, extra) if bet in limits.bets]


def _amount_minor(whim: random.Random, bet: str, limits: Limits) -> int:
    bounds = limits.bets[bet]
    amount_minor = bounds.minimum_minor * whim.choice((1, 1, 1, 2, 2, 3, 5, 10))
    return min(amount_minor - amount_minor % CHIP_MINOR, bounds.maximum_minor)


def _second_thought(whim: random.Random, place: BetPlace, limits: Limits) -> WagerRequest:
    same = {
        "table": place.table,
        "shoe_number": place.shoe_number,
        "round_number": place.round_number,
        "bet_id": place.bet_id,
    }
    if whim.random() < 0.3:
        return msgspec.convert({**same, "revision": 0}, BetCancel)
    amount_minor = _amount_minor(whim, place.bet, limits)
    return msgspec.convert({**same, "revision": 0, "bet": place.bet, "amount_minor": amount_minor}, BetChange)


def _planned(request: WagerRequest, moment: float) -> PlannedWager:
    return PlannedWager(request, str(uuid.uuid5(_NAMESPACE, f"{request.bet_id}/{request.type}")), moment)
