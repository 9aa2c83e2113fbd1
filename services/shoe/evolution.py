"""How facts and notes change a table's state. No checks: what `decide` said has happened."""

from msgspec.structs import replace

from schemas import facts
from schemas.cards import INDEX_OF_CARD, Composition, full_composition, without
from services.shoe import state as notes
from services.shoe.state import FAILED, IDENTITIES_KEPT, IN_FORCE, UNSEEN, Round, Shoe, State, Waiting


def evolve(state: State, event: object) -> State:
    """The state behind this fact or note. Facts of the sister services change nothing by themselves."""
    match event:
        case notes.RequestAnswered(seen):
            slot = str(state.requests % IDENTITIES_KEPT)
            return replace(state, identities={**state.identities, slot: seen}, requests=state.requests + 1)
        case facts.TableOpened():
            return replace(
                state,
                rules={IN_FORCE: event.house_rules},
                limits_version=event.limits_version,
                unseen=full_composition(event.house_rules.decks),
            )
        case facts.TableClosed():
            return replace(state, rules={}, unseen=())
        case facts.ShoeStarted():
            unseen = without(state.unseen, event.burn_card) if event.burn_card else state.unseen
            return replace(state, unseen=unseen, shoe=_started(event))
        case facts.ShoeEnded():
            shoe = replace(state.shoe_in_play, ended=True, faces="")
            return replace(state, unseen=full_composition(state.rules_in_force.decks), shoe=shoe)
        case facts.RoundOpened():
            return _open_round(state, event)
        case facts.RequestRefused() | facts.RequestRepeated() | facts.ScanMissed():
            return state
        case notes.CardWaits() | notes.BurnedCardSeen() | notes.SurplusCardSeen() | notes.StrayCardSeen():
            return _see(state, event)
        case notes.ShoeGoesOn(next_ordinal):
            return _go_on(state, next_ordinal)
        case facts.CardDealt():
            return _deal(state, event)
        case notes.CutCardNoted(ordinal):
            return replace(state, shoe=replace(state.shoe_in_play, cut_card=ordinal))
        case facts.CutCardReached():
            return replace(state, shoe=replace(state.shoe_in_play, last_round=event.last_round))
        case _:
            return _evolve_round(state, event)


def _evolve_round(state: State, event: object) -> State:
    """What changes nothing but the last round and, at its end, the count of surplus cards."""
    match event:
        case notes.CardsDue(sides):
            return _with_round(state, replace(state.round_in_play, phase="dealing", due=sides))
        case facts.CardFoundFaceUp():
            played = state.round_in_play
            return _with_round(state, replace(played, card_facts=played.card_facts + 1))
        case facts.MisdealDetected():
            if event.round_number is None:
                return state
            return _with_round(state, replace(state.round_in_play, phase="misdealt"))
        case facts.RoundEnded() | facts.RoundVoided():
            played, shoe = state.round_in_play, state.shoe_in_play
            over = replace(played, phase="over", due=(), waiting=())
            return replace(state, shoe=replace(shoe, surplus=shoe.surplus + len(played.waiting), round=over))
        case notes.BooksSettled():
            shoe = state.shoe_in_play
            assert shoe.round is not None, "what is settled was played"
            return _with_round(state, replace(shoe.round, phase="settled"))
        case _:
            return state


def opened_round(shoe: Shoe, event: facts.RoundOpened) -> Round:
    """The round that this fact opens."""
    return Round(event.round_number, shoe.next_ordinal, shoe.next_ordinal + event.burned)


def queue_with(played: Round, note: notes.CardWaits) -> tuple[Waiting, ...]:
    """The round's waiting cards with this one, which may take the place of its own failed scan."""
    waiting = Waiting(note.ordinal, note.face, note.place, note.face_up)
    if played.waiting and note.ordinal <= played.waiting[-1].ordinal:
        return tuple(waiting if other.ordinal == note.ordinal else other for other in played.waiting)
    return (*played.waiting, waiting)


def _with_round(state: State, played: Round) -> State:
    return replace(state, shoe=replace(state.shoe_in_play, round=played))


def _started(event: facts.ShoeStarted) -> Shoe:
    """A virtual cut card lies at its depth; a physical one is known when it comes out."""
    virtual = event.kind == "virtual"
    seen = 0 if event.burn_card is None else 1
    return Shoe(
        number=event.shoe_number,
        kind=event.kind,
        next_ordinal=event.burned + 1,
        cut_card=52 * event.decks - event.cut_card_depth + 1 if virtual and event.cut_card_depth else None,
        burned_seen=seen,
        burned_unseen=event.burned - seen,
        faces="" if virtual else UNSEEN * event.burned,
    )


def _open_round(state: State, event: facts.RoundOpened) -> State:
    """A shuffler has all cards back when a round starts (article 7): what was seen before says nothing any more."""
    shoe, unseen = state.shoe_in_play, state.unseen
    opened = opened_round(shoe, event)
    faces, faces_from = shoe.faces, shoe.faces_from
    if state.rules_in_force.dealing != "shoe":
        faces, faces_from, unseen = "", opened.first, full_composition(state.rules_in_force.decks)
    shoe = replace(
        shoe,
        next_ordinal=opened.hands_from,
        burned_unseen=shoe.burned_unseen + event.burned,
        faces_from=faces_from,
        faces=faces + UNSEEN * event.burned if shoe.kind == "physical" else "",
        round=opened,
    )
    return replace(state, shoe=shoe, unseen=unseen)


def _deal(state: State, event: facts.CardDealt) -> State:
    """A virtual card is out and seen with this; a physical one was when it was scanned."""
    shoe, played = state.shoe_in_play, state.round_in_play
    due = played.due[1:]
    played = replace(
        played,
        phase="dealing" if due else "calling",
        due=due,
        player=played.player + (event.side == "player"),
        banker=played.banker + (event.side == "banker"),
        card_facts=played.card_facts + 1,
        waiting=played.waiting[1:],
    )
    if shoe.kind == "physical":
        return replace(state, shoe=replace(shoe, dealt=shoe.dealt + 1, round=played))
    assert event.card is not None, "no card is held yet"
    shoe = replace(shoe, next_ordinal=shoe.next_ordinal + 1, dealt=shoe.dealt + 1, round=played)
    return replace(state, shoe=shoe, unseen=without(state.unseen, event.card))


_Seen = notes.CardWaits | notes.BurnedCardSeen | notes.SurplusCardSeen | notes.StrayCardSeen


def _see(state: State, note: _Seen) -> State:
    """A physical card is out: its face is kept, and it is counted where it belongs."""
    shoe, ordinal = state.shoe_in_play, note.ordinal
    faces = shoe.faces + UNSEEN * (ordinal + 1 - shoe.faces_to)
    start = 2 * (ordinal - shoe.faces_from)
    shoe = replace(shoe, faces=faces[:start] + note.face + faces[start + 2 :])
    unseen = state.unseen if note.face == FAILED else without(state.unseen, note.face)
    match note:
        case notes.CardWaits():
            played = replace(state.round_in_play, waiting=queue_with(state.round_in_play, note))
            shoe = replace(shoe, next_ordinal=max(shoe.next_ordinal, ordinal + 1), round=played)
        case notes.BurnedCardSeen() if note.face != FAILED:
            shoe = replace(shoe, burned_seen=shoe.burned_seen + 1, burned_unseen=shoe.burned_unseen - 1)
        case notes.SurplusCardSeen():
            surplus = shoe.surplus + ordinal + 1 - shoe.next_ordinal
            shoe = replace(shoe, surplus=surplus, next_ordinal=ordinal + 1)
        case notes.BurnedCardSeen() | notes.StrayCardSeen():
            pass
    return replace(state, shoe=shoe, unseen=unseen)


def _go_on(state: State, next_ordinal: int) -> State:
    """Scans of a misdealt round at or behind `next_ordinal` were errors: their cards are unseen again."""
    shoe, played = state.shoe_in_play, state.round_in_play
    kept = 2 * (next_ordinal - shoe.faces_from)
    shoe = replace(
        shoe,
        next_ordinal=next_ordinal,
        surplus=shoe.surplus + next_ordinal - played.hands_from - played.player - played.banker,
        faces=shoe.faces[:kept] + UNSEEN * (next_ordinal - shoe.faces_to),
        round=replace(played, waiting=()),
    )
    return replace(state, shoe=shoe, unseen=_with_faces(state.unseen, state.shoe_in_play.faces[kept:]))


def _with_faces(composition: Composition, faces: str) -> Composition:
    counts = list(composition)
    for start in range(0, len(faces), 2):
        if (face := faces[start : start + 2]) not in (UNSEEN, FAILED):
            counts[INDEX_OF_CARD[face]] += 1
    return tuple(counts)
