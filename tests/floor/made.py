"""Facts by hand, for the tests of what reads them: table `macau-1`, shoe 1."""

from typing import Any

from schemas import codec, facts
from schemas.events import Fact
from schemas.house_rules import SHIPPED_DIRECTORY, read_house_rules
from services.floor.demo.tables import limits_of
from services.floor.pit_client import Raw

TABLE = "macau-1"


def table_opened(table: str = TABLE, house_rules: str = "macau") -> facts.TableOpened:
    """The table is open."""
    rules, sha256 = read_house_rules(SHIPPED_DIRECTORY)[house_rules]
    return facts.TableOpened(
        table=table,
        house_rules=rules,
        house_rules_sha256=sha256,
        limits=limits_of(table),
        limits_version=1,
        layouts=1,
        seats=7,
        gaming_day=None,
    )


def shoe_started(shoe_number: int = 1, **changed: Any) -> facts.ShoeStarted:
    """A shoe of eight decks, one card burned."""
    fields: dict[str, Any] = {
        "table": TABLE,
        "shoe_number": shoe_number,
        "kind": "virtual",
        "decks": 8,
        "cut_card_depth": 14,
        "burned": 1,
        "burn_card": "AC",
        "cut_by": "dealer",
        "cut_at": 200,
        "shuffled_by": "machine",
        "deck_set": None,
    }
    return facts.ShoeStarted(**{**fields, **changed})


def shoe_ended(shoe_number: int = 1) -> facts.ShoeEnded:
    """The shoe is out of play."""
    return facts.ShoeEnded(
        table=TABLE,
        shoe_number=shoe_number,
        reason="cut_card",
        rounds=70,
        dealt=400,
        burned_seen=1,
        burned_unseen=0,
        surplus=0,
        left=15,
    )


def of_round(round_number: int, shoe_number: int = 1) -> dict[str, Any]:
    """What every fact of this round has."""
    return {"table": TABLE, "shoe_number": shoe_number, "round_number": round_number}


def round_opened(round_number: int, *, last_round: bool = False) -> facts.RoundOpened:
    """A round takes bets; 415 cards are left."""
    return facts.RoundOpened(
        **of_round(round_number),
        demonstration=False,
        burned=0,
        cards_left=415,
        last_round=last_round,
        limits_version=1,
    )


def card_dealt(round_number: int, number: int, side: str, card: str) -> facts.CardDealt:
    """One card."""
    fields: dict[str, Any] = {"card_number": number, "side": side, "position": 1, "card": card, "points": 0}
    return facts.CardDealt(**of_round(round_number), **fields)


def draw_called(round_number: int, side: str) -> facts.DrawCalled:
    """This side draws."""
    fields: dict[str, Any] = {"side": side}
    return facts.DrawCalled(
        **of_round(round_number), **fields, through=4, player_total=1, banker_total=2, player_third_points=None
    )


def round_ended(round_number: int, result: str = "player", **changed: Any) -> facts.RoundEnded:
    """Player 8 with two cards against Banker 7, unless changed."""
    fields: dict[str, Any] = {
        "revision": 0,
        "result": result,
        "player_cards": ("8H", "KS"),
        "banker_cards": ("7C", "TD"),
        "player_total": 8,
        "banker_total": 7,
        "natural": True,
        "player_pair": False,
        "banker_pair": False,
        "demonstration": False,
    }
    return facts.RoundEnded(**of_round(round_number), **{**fields, **changed})


def _taken(round_number: int, bet_id: str, bet: str, amount_minor: int) -> dict[str, Any]:
    return {
        **of_round(round_number),
        "bet_id": bet_id,
        "bettor_id": "ana",
        "bet": bet,
        "seat": None,
        "amount_minor": amount_minor,
        "requested_minor": amount_minor,
    }


def bet_accepted(round_number: int, bet_id: str, bet: str, amount_minor: int) -> facts.BetAccepted:
    """A stake is on the layout."""
    return facts.BetAccepted(**_taken(round_number, bet_id, bet, amount_minor), revision=0)


def bet_changed(round_number: int, bet_id: str, bet: str, before_minor: int, amount_minor: int) -> facts.BetChanged:
    """A stake is another one."""
    return facts.BetChanged(**_taken(round_number, bet_id, bet, amount_minor), revision=1, before_minor=before_minor)


def bet_cancelled(round_number: int, bet_id: str, bet: str, before_minor: int) -> facts.BetCancelled:
    """A stake is taken back."""
    return facts.BetCancelled(**_taken(round_number, bet_id, bet, 0), revision=1, before_minor=before_minor)


def bet_rejected(round_number: int) -> facts.BetRejected:
    """A wager changed nothing."""
    return facts.BetRejected(
        **of_round(round_number),
        bet_id="late",
        bettor_id="ana",
        bet="tie",
        amount_minor=100,
        revision=None,
        reason="books_closed",
        detail="",
    )


def betting_closed(round_number: int, totals: dict[str, int]) -> facts.BettingClosed:
    """No stake changes any more."""
    return facts.BettingClosed(
        **of_round(round_number), stakes=len(totals), totals=totals, player_holder=None, banker_holder=None
    )


def settled_bet(bet_id: str, bet: str, stake_minor: int, return_minor: int, **changed: Any) -> facts.SettledBet:
    """What became of a stake: `won` unless changed."""
    fields: dict[str, Any] = {"outcome": "won", "carried": False, "commission_minor": 0}
    return facts.SettledBet(
        bet_id=bet_id,
        bettor_id="ana",
        bet=bet,
        stake_minor=stake_minor,
        return_minor=return_minor,
        **{**fields, **changed},
    )


def bets_settled(round_number: int, *bets: facts.SettledBet, revision: int = 0) -> facts.BetsSettled:
    """Every stake of the round."""
    return facts.BetsSettled(**of_round(round_number), revision=revision, bets=bets)


def stake_returned(round_number: int, bet_id: str, before_minor: int) -> facts.StakeReturned:
    """A carried stake is handed back between rounds."""
    return facts.StakeReturned(
        **of_round(round_number),
        bet_id=bet_id,
        bettor_id="ana",
        before_minor=before_minor,
        after_minor=0,
        reason="table_closed",
    )


def stake_reduced(round_number: int, bet_id: str, before_minor: int, after_minor: int) -> facts.StakeReduced:
    """A stake is cut when betting closes."""
    return facts.StakeReduced(
        **of_round(round_number),
        bet_id=bet_id,
        bettor_id="ana",
        before_minor=before_minor,
        after_minor=after_minor,
        reason="differential",
    )


def adjusted(round_number: int, bet_id: str, amount_minor: int) -> facts.SettlementAdjusted:
    """What a stake got is put right by hand."""
    return facts.SettlementAdjusted(
        **of_round(round_number),
        bet_id=bet_id,
        bettor_id="ana",
        amount_minor=amount_minor,
        reason="dispute",
        operator="dealer",
        approved_by="pit-boss",
    )


def round_settled(round_number: int, **sums: Any) -> facts.RoundSettled:
    """The round's own sums: zero where not given."""
    fields: dict[str, Any] = {
        "revision": 0,
        "result": "player",
        "stakes": 0,
        "placed_minor": 0,
        "carried_in_minor": 0,
        "returned_minor": 0,
        "carried_out_minor": 0,
        "house_minor": 0,
        "commission_minor": 0,
    }
    return facts.RoundSettled(**of_round(round_number), **{**fields, **sums})


def sealed(*events: Fact) -> list[Raw]:
    """The entries of a stream that holds these facts from its beginning."""
    head = codec.ChainHead()
    found = []
    for number, fact in enumerate(events, 1):
        entry, head = codec.seal(
            fact, head, source="/baccarat/demo/shoe", time="2026-01-01T00:00:00Z", causation="", traceparent=None
        )
        found.append((f"{number}-0".encode(), dict(zip(entry[::2], entry[1::2], strict=True))))
    return found
