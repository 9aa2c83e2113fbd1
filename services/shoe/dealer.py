"""What the keys give for a decision: the one place that uses them."""

from collections.abc import Iterable, Sequence, Set
from typing import Any

from schemas.codec import Entry
from schemas.facts import CardDealt
from services.decider.outcome import LateAnswer
from services.shoe import core
from services.shoe.draw import commitment_of, draw_on, key_of
from services.shoe.keys import MasterKey


class Dealer:
    """The keys of one process, in the order of their list, and what it must remember to use them once.

    `fingerprints`: those of its keys. A round goes on under the key that it was opened under, wherever that stands in
    the list; new rounds open under the first.
    """

    def __init__(self, keys: Sequence[MasterKey]) -> None:
        self.fingerprints = tuple(key.fingerprint for key in keys)
        self._keys = {key.fingerprint: key for key in keys}
        self._elsewhere: dict[str, Set[str]] = {}
        self._present: dict[tuple[str, str], tuple[Any, bytes]] = {}
        # For each table the round and the seed from which it was dealt last. No restart of the server takes this back.
        self._dealt: dict[tuple[str, str], tuple[int, int, str]] = {}

    def heard(self, pit: str, fingerprints: Set[str]) -> None:
        """The keys that the live replicas of a pit have."""
        self._elsewhere[pit] = fingerprints

    def lacks(self, state: core.State) -> str | None:
        """The fingerprint of the key that a table waits for; empty: any key at all; None: it waits for none."""
        shoe = state.shoe
        if shoe is None or shoe.ended or shoe.kind != "virtual":
            return None
        if shoe.round is None or shoe.between_rounds:
            return None if self.fingerprints else ""
        return None if shoe.round.master in self._keys else shoe.round.master

    def decide(self, pit: str, state: core.State, entry: Entry, house: core.House) -> list[core.Outcome]:
        """What follows from an entry, with what the keys give for it."""
        wants = core.wanted(state, entry)
        drawn = core.Drawn() if wants is None else self.give(pit, state.table, wants)
        outcomes = core.decide(state, entry, drawn, house)
        self._remember(pit, state.table, wants, outcomes)
        return outcomes

    def resume(self, pit: str, state: core.State) -> list[core.Outcome]:
        """What waited for a key that is here now."""
        wants = core.what_waits(state)
        outcomes = [] if wants is None else core.resume(state, self.give(pit, state.table, wants))
        self._remember(pit, state.table, wants, outcomes)
        return outcomes

    def give(self, pit: str, table: str, wants: core.Wanted) -> core.Drawn:
        """The key that is wanted, and its cards."""
        master = (self.fingerprints or ("",))[0] if wants.master is None else wants.master
        if master not in self._keys:
            return core.Drawn(elsewhere=master in self._elsewhere.get(pit, ()))
        key = self._key(pit, table, wants, self._keys[master])
        cards: tuple[str, ...] = ()
        if wants.cards:
            cards = draw_on(key, bytes.fromhex(wants.seed), wants.known, wants.cards, wants.unseen)
        changed = wants.deals and self._seed_changed(pit, table, wants)
        commitment = commitment_of(key) if wants.master is None else None
        return core.Drawn(key.hex(), commitment, master, cards, changed)

    def _key(self, pit: str, table: str, wants: core.Wanted, master: MasterKey) -> bytes:
        """The key that is wanted. That of each table's present round is kept: its thirds and its end want it again."""
        made_from = (wants.purpose, wants.shoe_number, wants.round_number, wants.entry_id, master.fingerprint)
        known, key = self._present.get((pit, table), (None, b""))
        if known != made_from:
            key = key_of(
                master.secret,
                wants.purpose,
                pit=pit,
                table=table,
                shoe_number=wants.shoe_number,
                round_number=wants.round_number,
                entry_id=wants.entry_id,
            )
            self._present[pit, table] = (made_from, key)
        return key

    def _seed_changed(self, pit: str, table: str, wants: core.Wanted) -> bool:
        """Whether cards of this round were dealt from another seed before."""
        shoe_number, round_number, seed = self._dealt.get((pit, table), (0, 0, ""))
        return (shoe_number, round_number) == (wants.shoe_number, wants.round_number) and seed != wants.seed

    def _remember(self, pit: str, table: str, wants: core.Wanted | None, outcomes: Iterable[core.Outcome]) -> None:
        """Keep the seed that cards were dealt from, before anything of it is written."""
        if wants is None or not wants.deals:
            return
        facts = (outcome.fact if isinstance(outcome, LateAnswer) else outcome for outcome in outcomes)
        if any(isinstance(fact, CardDealt) for fact in facts):
            self._dealt[pit, table] = (wants.shoe_number, wants.round_number, wants.seed)
