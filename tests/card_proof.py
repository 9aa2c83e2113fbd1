"""Proves every card of virtual shoes from what stands in the streams. Shares no code with what dealt them.

It takes a round's key from the fact of the round's end, so it needs no master key. With the master keys it also proves
that the keys are the right ones.
"""

import hashlib
import hmac
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

DECK: Final = [rank + suit for rank in ("A", *"23456789", "T", "J", "Q", "K") for suit in ("C", "D", "H", "S")]
Fields = Mapping[str, str]
Streams = Mapping[str, Sequence[tuple[str, Fields]]]


def in_lengths(*texts: str) -> bytes:
    """Each text behind its length in bytes."""
    return b"".join(str(len(text.encode())).encode() + b":" + text.encode() for text in texts)


def hmac_of(key: bytes, message: bytes) -> bytes:
    """HMAC-SHA256."""
    return hmac.new(key, message, hashlib.sha256).digest()


def nth_card(key: bytes, seed: bytes, number: int, pile: list[str]) -> str:
    """Takes the card with this number out of the pile, which lies in order."""
    return pile.pop(int(hmac_of(key, seed + bytes([number])).hex(), 16) % len(pile))


class Proof:
    """All facts of a pit's `cards`, read once. Fails with an AssertionError at a card that is not the right one."""

    def __init__(self, pit: str, streams: Streams, masters: Sequence[bytes] = ()) -> None:
        self._pit = pit
        self._masters = masters
        self._requests = {f"console/{entry_id}": (entry_id, fields) for entry_id, fields in streams["console"]}
        self._chain_of_close = {}
        for _, fields in streams["bets"]:
            if fields["type"] == "betting.closed":
                data = json.loads(fields["data"])
                self._chain_of_close[data["table"], data["shoe_number"], data["round_number"]] = fields["chain"]
        self._cards = [(fields, json.loads(fields["data"])) for _, fields in streams["cards"]]
        self.proven_cards = 0
        self.proven_rounds = 0
        self.not_proven: list[tuple[str, int, int]] = []

    def check(self) -> "Proof":
        """Prove all there is."""
        rules: dict[str, Any] = {}
        piles: dict[str, list[str]] = {}
        opened: dict[tuple[str, int, int], tuple[Fields, Any]] = {}
        dealt: dict[tuple[str, int, int], dict[int, str | None]] = {}
        virtual: dict[str, bool] = {}
        for fields, fact in self._cards:
            table = fact["table"]
            here = (table, fact.get("shoe_number", 0), fact.get("round_number", 0))
            match fields["type"]:
                case "table.opened" | "house_rules.changed":
                    rules[table] = fact["house_rules"]
                case "shoe.started":
                    virtual[table] = fact["kind"] == "virtual"
                    piles[table] = sorted(DECK * fact["decks"], key=DECK.index)
                    if virtual[table]:
                        self._burn_card(fields, fact, piles[table])
                case "round.opened":
                    opened[here], dealt[here] = (fields, fact), {}
                case "card.dealt" | "card.opened" if virtual[table]:
                    dealt[here][fact["card_number"]] = fact["card"]
                case "round.ended" | "round.voided" if virtual[table]:
                    if rules[table]["dealing"] != "shoe":
                        piles[table] = sorted(DECK * rules[table]["decks"], key=DECK.index)
                    self._round(here, opened[here], dealt[here], fact, piles[table])
                case "round.ended" | "round.voided":
                    assert fact["key"] is None
                case _:  # all else tells of no virtual card
                    pass
        return self

    def _burn_card(self, fields: Fields, fact: Any, pile: list[str]) -> None:
        if fact["burn_card"] is None:
            assert fact["key"] is None
            return
        entry_id, load = self._requests[fields["causation"]]
        key = bytes.fromhex(fact["key"])
        self._check_key(key, "shoe", (fact["table"], fact["shoe_number"], 0), entry_id)
        assert nth_card(key, self._seed_of(entry_id, load), 1, pile) == fact["burn_card"]
        self.proven_cards += 1

    def _round(
        self,
        here: tuple[str, int, int],
        opened: tuple[Fields, Any],
        dealt: Mapping[int, str | None],
        over: Any,
        pile: list[str],
    ) -> None:
        fields, fact = opened
        if over["key"] is None:
            self.not_proven.append(here)
            return
        key = bytes.fromhex(over["key"])
        assert hashlib.sha256(key).hexdigest() == fact["commitment"], "not the key that the round was opened under"
        entry_id, request = self._requests[fields["causation"]]
        self._check_key(key, "round", here, entry_id)
        if dealt:
            seed = self._seed_of(entry_id, request) if fact["demonstration"] else self._seed_of_books(here)
            for number, (_, card) in enumerate(sorted(dealt.items()), start=1):
                right = nth_card(key, seed, number, pile)
                assert card in (None, right), f"{here}, card {number}: {card} lies there, {right} was due"
                self.proven_cards += 1
        self.proven_rounds += 1

    def _seed_of_books(self, here: tuple[str, int, int]) -> bytes:
        return bytes.fromhex(self._chain_of_close[here])

    def _seed_of(self, entry_id: str, request: Fields) -> bytes:
        names = ("source", "id", "type", "data")
        return hashlib.sha256(in_lengths("console", entry_id, *(request[name] for name in names))).digest()

    def _check_key(self, key: bytes, word: str, here: tuple[str, int, int], entry_id: str) -> None:
        if self._masters:
            message = in_lengths(word, self._pit, *(str(part) for part in here), entry_id)
            assert key in [hmac_of(master, message) for master in self._masters], "made from no master key"


def texts(entries: Iterable[tuple[str, Sequence[bytes]]]) -> list[tuple[str, Fields]]:
    """Entries as name, value, name, value in bytes, as they stand in a stream."""
    return [
        (entry_id, {pairs[at].decode(): pairs[at + 1].decode() for at in range(0, len(pairs), 2)})
        for entry_id, pairs in entries
    ]
