"""Which key and which cards an entry wants, before it is decided. No face of a card has a say in it."""

from schemas import facts, requests
from schemas.cards import INDEX_OF_CARD, Composition
from schemas.codec import Entry
from services.shoe.decisions.dealing import FIRST_FOUR, books_close_for, call_fits
from services.shoe.decisions.drawn import Wanted
from services.shoe.seeds import seed_of_request
from services.shoe.table.state import Round, State


def wanted(state: State, entry: Entry) -> Wanted | None:
    """What the entry wants of the keys; None: nothing, or it is refused anyhow."""
    match entry.event:
        case requests.ShoeLoad(kind="virtual") as load:
            return _burn_card(state, entry, load)
        case requests.TableRelease() if state.held:
            return what_waits(state)
        case requests.RoundVoid():
            return _faces(state) if _has_virtual_round(state) else None
        case requests.KeyLost():
            return of_round(state) if _has_virtual_round(state) else None
        case requests.RoundOpen() as request:
            return _new_round(state, entry, request)
        case facts.BettingClosed() as closed if books_close_for(state, closed) and _has_virtual_round(state):
            return of_round(state, new_cards=len(FIRST_FOUR), seed=entry.chain)
        case facts.DrawCalled() as call if call_fits(state, call) and _has_virtual_round(state):
            return of_round(state, new_cards=1)
        case facts.RoundDecided() as decided if call_fits(state, decided) and _has_virtual_round(state):
            return _faces(state)
        case requests.CardOpen():
            return _faces(state) if _has_virtual_round(state) else None
        case _:
            return None


def what_waits(state: State) -> Wanted | None:
    """What a round wants that goes on where it stood: its cards that are due, or the key for its end."""
    if not _has_virtual_round(state):
        return None
    played = state.round_in_play
    return of_round(state, new_cards=len(played.due)) if played.phase == "dealing" else _faces(state)


def of_round(state: State, *, new_cards: int = 0, seed: str | None = None) -> Wanted:
    """The key of the virtual round in play, and so many cards that are not dealt yet."""
    played = state.round_in_play
    dealt = len(played.cards)
    known, unseen = _known(state, played) if new_cards else ((), ())
    return Wanted(
        "round",
        state.shoe_in_play.number,
        played.number,
        played.entry_id,
        played.master,
        seed=played.seed if seed is None else seed,
        known=known,
        cards=dealt + new_cards if new_cards else 0,
        unseen=unseen,
        deals=new_cards > 0,
    )


def _has_virtual_round(state: State) -> bool:
    shoe = state.shoe
    return shoe is not None and not shoe.ended and shoe.kind == "virtual" and not shoe.between_rounds


def _faces(state: State) -> Wanted:
    """The cards of the round as far as they are dealt, when some lie face down."""
    played = state.round_in_play
    if all(card.shown for card in played.cards):
        return of_round(state)
    known, unseen = _known(state, played)
    return of_round(state)._replace(known=known, unseen=unseen, cards=len(played.cards))


def _known(state: State, played: Round) -> tuple[tuple[str, ...], Composition]:
    """The cards of a round that need not be drawn again, and what the shoe holds behind them.

    A card behind one that lies face down is drawn again with it, because it was drawn without that one.
    """
    if all(card.shown for card in played.cards):
        return tuple(card.face for card in played.cards), state.unseen
    counts = [*state.unseen]
    for card in played.cards:
        if card.shown:
            counts[INDEX_OF_CARD[card.face]] += 1
    return (), tuple(counts)


def _burn_card(state: State, entry: Entry, load: requests.ShoeLoad) -> Wanted | None:
    if not state.is_open or (state.shoe is not None and not state.shoe.ended):
        return None
    turned = state.rules_in_force.burn == "first_card"
    return Wanted(
        "shoe",
        load.shoe_number,
        0,
        entry.entry_id,
        seed=seed_of_request(entry) if turned else "",
        cards=1 if turned else 0,
        unseen=state.unseen,
    )


def _new_round(state: State, entry: Entry, request: requests.RoundOpen) -> Wanted | None:
    """A demonstration is dealt with its opening. No shuffler has any, so the shoe holds what it held."""
    shoe = state.shoe
    if shoe is None or shoe.ended or shoe.kind != "virtual" or not shoe.idle:
        return None
    wants = Wanted("round", shoe.number, request.round_number, entry.entry_id)
    if not request.demonstration:
        return wants
    return wants._replace(seed=seed_of_request(entry), cards=len(FIRST_FOUR), unseen=state.unseen, deals=True)
