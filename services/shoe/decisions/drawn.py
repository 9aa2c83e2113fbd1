"""What a decision wants of the shoe's keys, and what it gets. Keys themselves stay in the wiring."""

from typing import Final, Literal, NamedTuple

from schemas.cards import Composition
from services.decider.refusal import Refusal

# What a key is made for: the cards of a round, or the burn card of a shoe (round number 0).
Purpose = Literal["round", "shoe"]
NO_KEY: Final = Refusal("no_key", "this replica of the shoe does not have the key")


class Wanted(NamedTuple):
    """Of which key, and how many cards of its round.

    `master`: the fingerprint of the master key that it is made from; None: the first of the list.
    `seed`: in hex. `known`: the round's first cards, as far as they need not be drawn again. `cards`: so many are
    wanted, the known ones too. `unseen`: what the shoe holds behind the known ones.
    `deals`: cards are dealt that nobody has seen, so the round must not have had another seed.
    """

    purpose: Purpose
    shoe_number: int
    round_number: int
    entry_id: str
    master: str | None = None
    seed: str = ""
    known: tuple[str, ...] = ()
    cards: int = 0
    unseen: Composition = ()
    deals: bool = False


class Drawn(NamedTuple):
    """What the keys give for one decision; nothing where no key is wanted, or none is there.

    `key`: in hex. `commitment`: its SHA-256, in hex, for a round that opens.
    `master`: the fingerprint of the master key that it is made from.
    `cards`: the cards of the round from the first on, in the order of dealing.
    `seed_changed`: cards of this round were dealt from another seed, which a failover of the server has lost.
    `elsewhere`: another replica has the key that is missing here.
    """

    key: str | None = None
    commitment: str | None = None
    master: str = ""
    cards: tuple[str, ...] = ()
    seed_changed: bool = False
    elsewhere: bool = False
