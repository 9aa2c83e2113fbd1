"""What a table's books are made of. Each struct is stored as a record of its own."""

import msgspec

from schemas.house_rules import HouseRules
from schemas.limits import Limits


class Terms(msgspec.Struct, frozen=True):
    """What the table was opened with: what is offered, within which bounds, and how it is paid."""

    house_rules: HouseRules
    limits: Limits


class Stake(msgspec.Struct, frozen=True, omit_defaults=True):
    """One stake, stored under its bet_id.

    It is on the layout while `generation` is the count of settled betting rounds; carrying moves it on to the next.
    Nothing is written when it ends: the count passes it by, and its bet_id stays known until the next round is settled.
    `amount_minor` 0: taken back. `order`: how many stakes the table had accepted before.
    """

    bettor_id: str
    bet: str
    amount_minor: int
    order: int
    generation: int
    revision: int = 0
    seat: int | None = None
    carried: bool = False


class Seen(msgspec.Struct, frozen=True):
    """A request that was answered, stored under its identity: what it said and where its first copy stands.

    `kept_since`: for wagers the count of settled betting rounds, for the console the number of the request.
    """

    digest: str
    place: str
    kept_since: int
