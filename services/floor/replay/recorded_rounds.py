"""Recorded rounds: reading a file of them, choosing cards for one, and comparing it with the services' round. Pure.

Each line of a file is one JSON object. `player` and `banker` are the cards in dealing order: these are played. Rounds
of one shoe have the same `shoe`. `result`, `pairs`, `ptot`, `btot` and `natural` are compared where they are present.
Other fields are not read. A card is a rank with its suit (`8H`), a rank (`T`), or a value (`0` to `9`).
"""

from collections.abc import Iterator
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

from schemas.cards import INDEX_OF_CARD, RANKS, SUITS, Composition, Result, Side, without
from schemas.facts import RoundEnded, RoundSettled

Symbol = Annotated[str, Meta(pattern=r"^([A23456789TJQK][CDHS]?|[01])$(?!\n)")]

RESULT_LETTERS: Final[dict[Result, str]] = {"player": "P", "banker": "B", "tie": "T"}
HAND_CARDS_MAX: Final = 3
_DEALING_ORDER: Final[tuple[tuple[Side, int], ...]] = (("player", 0), ("banker", 0), ("player", 1), ("banker", 1))


class RecordsError(Exception):
    """The bytes are not recorded rounds. The message is one line, and names the line of the file."""


class Record(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One recorded round, as its line has it. A field that is null or missing was not recorded."""

    player: tuple[Symbol, ...]
    banker: tuple[Symbol, ...]
    shoe: int | str | None = None
    result: Literal["P", "B", "T"] | None = None
    pairs: Literal["", "P", "B", "PB"] | None = None
    ptot: int | None = None
    btot: int | None = None
    natural: int | bool | None = None


class Hands(msgspec.Struct, frozen=True):
    """The cards of both sides, each in dealing order."""

    player: tuple[str, ...]
    banker: tuple[str, ...]

    def of(self, side: Side) -> tuple[str, ...]:
        """One side's cards."""
        return self.player if side == "player" else self.banker


_decoder: Final = msgspec.json.Decoder(Record)


def read_records(content: bytes) -> list[tuple[int, Record]]:
    """All rounds of a file, each with the number of its line. Blank lines are left out. Raises RecordsError."""
    records = []
    for number, line in enumerate(content.split(b"\n"), start=1):
        if not line.strip():
            continue
        try:
            records.append((number, _decoder.decode(line)))
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            raise RecordsError(f"line {number}: {error}") from None
    if not records:
        raise RecordsError("holds no round")
    return records


def cards_of(record: Record, left: Composition) -> Hands | None:
    """Cards of the shoe for the first three recorded cards of each side; None when the shoe lacks one.

    Of several possible cards the one with most copies left is taken. A fourth card is never dealt, so none is chosen.
    """
    for player in _hands(record.player[:HAND_CARDS_MAX], _wants_pair(record, "P", record.player), left):
        left_for_banker = left
        for card in player:
            left_for_banker = without(left_for_banker, card)
        for banker in _hands(record.banker[:HAND_CARDS_MAX], _wants_pair(record, "B", record.banker), left_for_banker):
            return Hands(player, banker)
    return None


def first_cards(hands: Hands) -> tuple[str, ...]:
    """The four cards that are dealt before any call, in their order (article 7); fewer when the record lacks one."""
    cards: list[str] = []
    for side, position in _DEALING_ORDER:
        if len(hands.of(side)) <= position:
            break
        cards.append(hands.of(side)[position])
    return tuple(cards)


def keeps_article_9(record: Record) -> bool:
    """Whether the cards in the record were drawn as article 9 says.

    This shows whether a difference is the record's fault or the services'. So it must not use the rules service's code.
    """
    counts = (len(record.player), len(record.banker))
    if min(counts) < 2:
        return False
    player = [_points(symbol) for symbol in record.player]
    banker = [_points(symbol) for symbol in record.banker]
    player_total, banker_total = sum(player[:2]) % 10, sum(banker[:2]) % 10
    if max(player_total, banker_total) >= 8:
        return counts == (2, 2)
    if player_total >= 6:
        return counts == (2, 3 if banker_total <= 5 else 2)
    if len(player) != 3:
        return False
    drawn_against = {3: (0, 1, 2, 3, 4, 5, 6, 7, 9), 4: (2, 3, 4, 5, 6, 7), 5: (4, 5, 6, 7), 6: (6, 7), 7: ()}
    banker_draws = banker_total <= 2 or player[2] in drawn_against[banker_total]
    return counts == (3, 3 if banker_draws else 2)


def differences(record: Record, ended: RoundEnded, settled: RoundSettled) -> list[str]:
    """The fields in which the services' round differs from the record. `settled`: it was not settled as it ended."""
    compared = {
        "player": (len(record.player), len(ended.player_cards)),
        "banker": (len(record.banker), len(ended.banker_cards)),
        "result": (record.result, RESULT_LETTERS[ended.result]),
        "pairs": (record.pairs, pairs_letters(ended)),
        "ptot": (record.ptot, ended.player_total),
        "btot": (record.btot, ended.banker_total),
        "natural": (None if record.natural is None else bool(record.natural), ended.natural),
        "settled": (ended.result, settled.result),
    }
    return [field for field, (recorded, said) in compared.items() if recorded not in (None, said)]


def pairs_letters(ended: RoundEnded) -> str:
    """The pairs of a round as records write them: nothing, P, B or PB."""
    return ("P" if ended.player_pair else "") + ("B" if ended.banker_pair else "")


def _wants_pair(record: Record, letter: str, symbols: tuple[str, ...]) -> bool | None:
    """Whether a hand's first two cards must have one rank. None where that is no question, or the record says nothing.

    It is a question only when both cards are a bare `0`, which stands for four ranks.
    """
    return None if record.pairs is None or symbols[:2] != ("0", "0") else letter in record.pairs


def _hands(
    symbols: tuple[str, ...], pair: bool | None, left: Composition, chosen: tuple[str, ...] = ()
) -> Iterator[tuple[str, ...]]:
    """All possible hands of one side. Those of cards with most copies left come first."""
    if len(chosen) == len(symbols):
        yield chosen
        return
    for card in _copies(symbols[len(chosen)], left):
        if len(chosen) == 1 and pair is not None and (card[0] == chosen[0][0]) is not pair:
            continue
        yield from _hands(symbols, pair, without(left, card), (*chosen, card))


def _copies(symbol: str, left: Composition) -> list[str]:
    """The cards that a symbol can stand for: for each rank one suit, that with most copies left.

    The card with most copies left comes first.
    """

    def copies_left(card: str) -> int:
        return left[INDEX_OF_CARD[card]]

    ranks = {"0": "TJQK", "1": "A"}.get(symbol, symbol[0])
    best = (max((rank + suit for suit in symbol[1:] or SUITS), key=copies_left) for rank in ranks)
    return sorted((card for card in best if copies_left(card)), key=copies_left, reverse=True)


def _points(symbol: str) -> int:
    """The points of a recorded card (article 5)."""
    return 0 if symbol[0] in "0TJQK" else 1 if symbol == "1" else RANKS.index(symbol[0]) + 1
