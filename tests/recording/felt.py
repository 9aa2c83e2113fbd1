"""By hand: cards that are held, that lie around between rounds, that are too many, on the wrong side or unshuffled."""

from typing import Final

from tests.recording.desk import Desk
from tests.recording.hand import BANKER_WINS, PLAYER_DRAWS, PLAYER_WINS, TIE, correct, dealt, seated, staked
from tests.recording.recorder import Recorder

_SUITS: Final = "CDHS"
_BEFORE_THE_CUT_CARD: Final = 8 * 52 - 14 - 1  # behind the card that was turned
_CARDS_OF_A_ROUND_MAX: Final = 12  # out of the shoe, until it can only be void


def play_held_cards(recorder: Recorder) -> None:
    """Each side's holder, the dealer and others open and pass; virtual and physical, with every end."""
    for kind in ("virtual", "physical"):
        for house_rules in ("squeeze", "squeeze-lowest-seat"):
            desk = seated(recorder, house_rules, f"held-{kind}-{house_rules}", kind)
            for number, ranks in enumerate((PLAYER_WINS, TIE, BANKER_WINS, PLAYER_DRAWS)):
                cards = [rank[0] + _SUITS[number] for rank in ranks]
                recorder.cards = cards if kind == "virtual" else []
                staked(desk, f"-{number}")
                desk.bet(f"more-{number}", "player", 30_000, bettor_id="bob", seat=2)
                desk.console("betting.close")
                if kind == "physical":
                    desk.shoe(*cards)
                _open_and_pass(desk)
                if kind == "physical":
                    desk.shoe("5D")
                for side in ("player", "banker"):
                    desk.console("card.open", side=side, position=3)
                recorder.cards = []
            desk.console("round.open")
            desk.console("betting.close")
            if kind == "physical":
                desk.shoe("9H", "9D")
            desk.console("card.open", side="player", position=1)
            desk.console("round.void")


def _open_and_pass(desk: Desk) -> None:
    """All four cards get open, by whoever may."""
    desk.console("card.open", side="banker", position=1, opened_by="ann")
    desk.console("card.open", side="player", position=1, opened_by="ann")
    for to in ("ann", "bob", "bob", "cid", "ann", None, None, "bob"):
        desk.console("holder.pass", side="player", to=to)
    desk.console("holder.pass", side="banker", to=None)
    desk.console("card.open", side="player", position=2, opened_by="bob")
    desk.console("card.open", side="player", position=2, opened_by="bob")
    desk.console("card.open", side="banker", position=2)
    desk.console("card.open", side="banker", position=1, opened_by="bob")
    desk.console("card.open", side="banker", position=1)


def play_between_rounds(recorder: Recorder) -> None:
    """Cards that come out while no round is open, and failed reads among them."""
    for house_rules in ("macau", "next-round", "next-round-burned", "keeps-pairs", "squeeze-lowest-seat"):
        desk = seated(recorder, house_rules, f"between-{house_rules}")
        desk.shoe("5C", None)
        dealt(desk, PLAYER_WINS)
        desk.shoe("7C", None, "7D")
        _scan(desk, (7, "7C"), (7, "8C"), (8, None), (8, "9C"), (9, "2C"), (12, "3C"), (2, "5C"))
        desk.ask("scans", {"type": "card.scan", "card": "4S", "face_up": True})
        desk.shoe("cut", "5S", "6S", "7S", "8S", "9S", "TS", "JS")
        dealt(desk, TIE, "-2")
        desk.shoe("QS")
        dealt(desk, BANKER_WINS, "-3")
        desk.console("shoe.end")


def play_leftovers(recorder: Recorder) -> None:
    """Cards that wait for the next round are none of the last one's, which is corrected while they wait and later."""
    for house_rules in ("next-round", "next-round-burned"):
        for late in (False, True):
            desk = seated(recorder, house_rules, f"leftover-{house_rules}-{late}")
            desk.console("round.open")
            burned = ("2S", "3S") if house_rules == "next-round-burned" else ()
            desk.shoe(*burned)
            first = len(burned) + 1
            desk.console("betting.close")
            desk.shoe(*PLAYER_WINS, "5D", "6D")
            desk.shoe("7D")
            if late:
                desk.round("4S", "4H", "4D")
            correct(desk, 1, first + 4, ("5S",))
            correct(desk, 1, first, (*BANKER_WINS, "5S"))
            correct(desk, 1, first, BANKER_WINS)
            desk.round("8S", "8H")
            desk.console("round.void")
            desk.console("round.open")
            desk.console("betting.close")
            desk.write("shoe", *burned, "9S", "2S", "KS", "QS", "AS")
            desk.write("scans", {"type": "card.scan", "card": "AH", "face_up": True})  # seen by people: burned
            desk.write("shoe", "AD")
            desk.hear()
            desk.console("shoe.end")


def play_too_many_cards(recorder: Recorder) -> None:
    """A misdealt round with more cards out than one round can have, fewer, and none."""
    for house_rules in ("macau", "squeeze"):
        desk = seated(recorder, house_rules, f"too-many-{house_rules}")
        staked(desk)
        desk.shoe(*[rank + "S" for rank in "23456789"])
        desk.console("betting.close")
        correct(desk, 1, 1, ("2S",))
        desk.shoe(*[rank + "D" for rank in "A23456"])
        correct(desk, 1, 1, ("2S",))
        correct(desk, 1, 1, [None] * 10)
        for cards in (("2C", "2C"), ("9C", "9D", "9H", "9S", "9C", "9D", "9H", "9S", "9C")):
            correct(desk, 1, 1, cards)
        desk.console("card.correct", cards=[{"ordinal": 1, "card": "2C"}, {"ordinal": 1, "card": "3C"}])
        desk.console("round.void", next_ordinal=3)
        desk.console("round.open")
        desk.console("card.correct")
        desk.console("betting.close")
        desk.ask("scans", {"type": "card.scan", "ordinal": 4, "card": "4C"})
        desk.console("card.correct")
        desk.ask("scans", {"type": "card.scan", "ordinal": 3, "card": "3C"})
        desk.ask("scans", {"type": "card.scan", "ordinal": 3, "card": "5C"})
        desk.console("card.correct", cards=[{"ordinal": 4, "card": None}])
        desk.shoe("8C", "9C", "9D", "TD")
        desk.console("round.void")


def play_most_cards(recorder: Recorder) -> None:
    """As many cards as a misdealt round can still be put right with, and one more."""
    for count in (_CARDS_OF_A_ROUND_MAX, _CARDS_OF_A_ROUND_MAX + 1):
        desk = seated(recorder, "macau", f"most-{count}")
        staked(desk)
        desk.shoe(*[f"{rank}{suit}" for suit in "CD" for rank in "23456789"][:count])
        desk.console("betting.close")
        desk.console("card.correct")
        desk.console("round.void")


def play_wrong_sides(recorder: Recorder) -> None:
    """A card drawn for a Player that stands, cards that change hands, and calls that are not made twice."""
    for house_rules in ("macau", "squeeze"):
        desk = seated(recorder, house_rules, f"sides-{house_rules}")
        for number, cards in enumerate((("2H", "3D", "3C", "4C", "4H"), ("6H", "3D", "KC", "2C", "4H"))):
            dealt(desk, cards, f"-{number}")
            if house_rules == "squeeze":
                _open_and_pass(desk)
                desk.console("card.open", side="player", position=3)
                desk.console("card.open", side="banker", position=3)
            for readings in (("6H",), ("6H", "5D"), ("9H",), ("2H", None), (None, "3D"), cards):
                correct(desk, number + 1, 5 * number + 1, readings)
            desk.console("round.void")


def play_unshuffled(recorder: Recorder) -> None:
    """New decks, and cards that come in the same order again."""
    desk = seated(recorder, "macau", "repeated")
    for number, ranks in enumerate(("8K7K", "9QA5", "8T3J", "8K7K", "9QA5", "8T3J")):
        dealt(desk, [rank + _SUITS[(at + number % 3) % 4] for at, rank in enumerate(ranks)], f"-{number}")
    desk = seated(recorder, "macau", "new")
    for number, ranks in enumerate(("A2345", "6789T", "JQKA2")):
        dealt(desk, [rank + "C" for rank in ranks], f"-{number}")
        desk.console("round.void")


def play_last_rounds(recorder: Recorder) -> None:
    """A physical shoe's cut card before, in and behind a round, and a shoe without one that runs out of cards."""
    for house_rules in ("macau", "burns-decks", "burns-fixed"):
        first, inside = ("cut", *PLAYER_WINS), (*PLAYER_WINS[:2], "cut", *PLAYER_WINS[2:])
        for number, cards in enumerate((first, inside, PLAYER_WINS)):
            desk = seated(recorder, house_rules, f"cut-{house_rules}-{number}")
            dealt(desk, cards)
            desk.shoe("cut")
            for again in range(2):
                dealt(desk, BANKER_WINS if again else TIE, f"-{again}")
    for burned in (_BEFORE_THE_CUT_CARD, _BEFORE_THE_CUT_CARD + 1):
        desk = seated(recorder, "macau-no-commission", f"burned-to-the-cut-{burned}", "virtual")
        desk.console("shoe.end")
        recorder.cards = ["AC"]  # the card that is turned burns itself
        desk.console("shoe.load", kind="virtual")
        desk.console("round.open", burn=burned)
        desk.console("betting.close")
    desk = Desk(recorder, "keeps-pairs", "few-cards")
    desk.console("table.open")
    desk.console("shoe.load", burned=39)
    desk.console("shoe.load", burned=38)
    for number in range(3):
        desk.round(*[rank + _SUITS[number] for rank in "9TJQ"])


def play_counts(recorder: Recorder) -> None:
    """Burned cards that are seen or not, read twice, left over and dropped: a shoe's end counts them all."""
    desk = seated(recorder, "next-round-burned", "counted")
    desk.console("shoe.end")
    desk.console("shoe.load", burned=3)
    desk.console("round.open", burn=2)
    desk.shoe("2C", None, "3C")
    _scan(desk, (5, "4C"))
    desk.console("betting.close")
    _scan(desk, (10, "9C"), (7, "5C"), (8, "8C"))
    desk.console("card.correct")
    _scan(desk, (9, "8D"))
    desk.console("card.correct")
    desk.shoe("KC", "2D", "3D", None)
    desk.console("round.open", burn=1)
    desk.shoe("4D")
    desk.console("round.void")
    desk.console("shoe.end")
    desk = seated(recorder, "macau", "read-twice")
    for next_ordinal, no_cards in ((2, (2, 3)), (3, (3,)), (None, (4,))):
        staked(desk, f"-{next_ordinal}")
        desk.console("betting.close")
        desk.shoe("2H", "2H", "3D")
        desk.console("card.correct", cards=[{"ordinal": ordinal, "card": None} for ordinal in no_cards])
        _scan(desk, (418, "9C"))
        desk.console("round.void", next_ordinal=next_ordinal)
    _scan(desk, (418, "9C"), (417, "9C"))
    desk.console("shoe.end")


def play_overruled(recorder: Recorder) -> None:
    """A reading that was put right and comes again says nothing new, as long as its round is played."""
    desk = seated(recorder, "macau", "overruled")
    for number, first in enumerate((1, 6), 1):
        staked(desk, f"-{number}")
        desk.console("betting.close")
        desk.shoe("2H", "3D", None, "4C")
        _scan(desk, (first + 2, "3C"), (first + 2, "3C"))
        correct(desk, number, first, ("2S", "3S"))
        _scan(desk, (first, "2H"), (first + 1, "3D"), (first, "2S"), (first + 2, None), (first + 2, "3C"))
        desk.shoe("4H")
        _scan(desk, (first, "2H"), (first, "9H"))


def play_doubted_pairs(recorder: Recorder) -> None:
    """A pair stands in a void round only if no card of it was read as another one later."""
    for ordinal, card in ((1, "6C"), (2, "6D"), (3, "6H"), (4, "6S"), (6, "5S")):
        desk = seated(recorder, "keeps-pairs", f"doubted-{ordinal}")
        for round_number in range(2):
            staked(desk, f"-{round_number}")
            desk.console("betting.close")
            desk.shoe(*(("2C", "3D", "2D", "3H"), ("AC", "7D", "AD", "7H"))[round_number])
            _scan(desk, (ordinal + 4 * round_number, card))
            if round_number:
                _scan(desk, (ordinal + 3, "TS"))
            desk.console("round.void", next_ordinal=None if round_number else 5)


def _scan(desk: Desk, *read: tuple[int, str | None]) -> None:
    for ordinal, card in read:
        desk.ask("scans", {"type": "card.scan", "ordinal": ordinal, "card": card})
