"""The chain of facts, by hand, and every change that breaks it."""

import hashlib

import pytest

from schemas.codec import CHAIN_START, ChainHead, chain_of
from tests.schemas.entries import CALLED, DEALT, VOIDED, fields_of, sealed


def test_the_chain_is_what_the_wire_says() -> None:
    """By hand: the previous chain, then source type subject time causation sequence data, each as length:bytes."""
    first, head = sealed(DEALT)
    data = (
        '{"table":"t1","shoe_number":1,"round_number":2,"card_number":9,"side":"banker","position":3,"card":"8H",'
        '"points":8}'
    )
    by_hand = hashlib.sha256(
        (
            "0" * 64
            + "19:/baccarat/demo/shoe"
            + "10:card.dealt"
            + "2:t1"
            + "27:2026-01-02T03:04:05.000006Z"
            + "9:calls/1-0"
            + "1:1"
            + f"115:{data}"
        ).encode()
    ).hexdigest()
    assert len(data) == 115
    assert fields_of(first) == {
        b"specversion": b"1.0",
        b"id": by_hand[:32].encode(),
        b"source": b"/baccarat/demo/shoe",
        b"type": b"card.dealt",
        b"subject": b"t1",
        b"time": b"2026-01-02T03:04:05.000006Z",
        b"causation": b"calls/1-0",
        b"sequence": b"1",
        b"data": data.encode(),
        b"chain": by_hand.encode(),
    }
    assert head == ChainHead(1, by_hand)


def test_lengths_in_the_chain_are_of_bytes_and_not_of_characters() -> None:
    _, first = sealed(DEALT)
    second, head = sealed(VOIDED, first)
    data = (
        '{"table":"tísch 1","shoe_number":1,"round_number":2,"revision":0,"reason":"閒",'
        '"player_pair":null,"banker_pair":null,"key":null}'
    )
    by_hand = hashlib.sha256(
        first.chain.encode()
        + b"19:/baccarat/demo/shoe12:round.voided8:t\xc3\xadsch 127:2026-01-02T03:04:05.000006Z9:calls/1-01:2"
        + b"%d:" % len(data.encode())
        + data.encode()
    ).hexdigest()
    assert len(data.encode()) == len(data) + 3
    assert fields_of(second)[b"chain"].decode() == head.chain == by_hand


CHAINED = ["source", "type", "subject", "time", "causation", "sequence", "data"]


@pytest.mark.parametrize("name", CHAINED)
def test_any_byte_of_a_chained_field_makes_another_chain(name: str) -> None:
    entry, head = sealed(DEALT)
    sound = fields_of(entry)
    assert chain_of(sound, CHAIN_START) == head.chain
    value = sound[name.encode()]
    tampered = {value[:at] + bytes([value[at] ^ 1]) + value[at + 1 :] for at in range(len(value))}
    tampered |= {value + b"0", value[:-1], b""}
    chains = {chain_of({**sound, name.encode(): other}, CHAIN_START) for other in tampered}
    assert len(chains) == len(tampered)
    assert head.chain not in chains


def test_a_byte_moved_from_one_field_to_the_next_makes_another_chain() -> None:
    entry, head = sealed(DEALT)
    sound = fields_of(entry)
    moved = {**sound, b"type": sound[b"type"] + b"t", b"subject": sound[b"subject"][1:]}
    assert chain_of(moved, CHAIN_START) != head.chain


def test_another_past_makes_another_chain() -> None:
    entry, head = sealed(DEALT)
    assert chain_of(fields_of(entry), "1" + "0" * 63) != head.chain


def test_the_same_facts_make_the_same_chain_and_each_takes_the_next_number() -> None:
    heads, head = [], ChainHead()
    for fact in (DEALT, CALLED, DEALT):
        _, head = sealed(fact, head)
        heads.append(head)
    assert [head.sequence for head in heads] == [1, 2, 3]
    assert len({head.chain for head in heads}) == 3
    assert sealed(DEALT)[1] == heads[0]
