"""A file of recorded rounds: what is read of it, and how it says that it is none."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.floor.replay.recorded_rounds import (
    RecordsError,
    read_records,
)
from tests.floor.replay.records import record


def test_a_line_gives_its_cards_and_what_was_recorded_and_nothing_else() -> None:
    content = b"""{"shoe":"s","hand":7,"player":["8H","T","0"],"banker":["1","KS"],"result":"P","pairs":"B","ptot":8,
        "btot":1,"natural":1,"issues":["RESULT"]}""".replace(b"\n", b"")
    assert read_records(content) == [
        (1, record("8H T 0", "1 KS", shoe="s", result="P", pairs="B", ptot=8, btot=1, natural=1))
    ]


def test_nulls_and_missing_fields_are_not_recorded() -> None:
    content = b'{"player":["8"],"banker":[],"shoe":null,"result":null,"pairs":null,"ptot":null,"natural":null}'
    assert read_records(content) == [(1, record("8", ""))]


def test_line_numbers_count_blank_lines() -> None:
    line = b'{"player":["8","9"],"banker":["2","2"]}\r\n'
    assert [number for number, _ in read_records(line + b"\n" + line + b"\n\n" + line)] == [1, 3, 6]


UNREADABLE = [
    (b"not json", "malformed"),
    (b'{"player":["8"]', "truncated"),
    (b'["8","9"]', "Expected `object`"),
    (b'{"player":["8","9"]}', "`banker`"),
    (b'{"banker":["8","9"]}', "`player`"),
    (b'{"player":["10","9"],"banker":["8","9"]}', "regex"),
    (b'{"player":["8h","9"],"banker":["8","9"]}', "regex"),
    (b'{"player":["8H\\n","9"],"banker":["8","9"]}', "regex"),
    (b'{"player":["1C","9"],"banker":["8","9"]}', "regex"),
    (b'{"player":["0C","9"],"banker":["8","9"]}', "regex"),
    (b'{"player":["","9"],"banker":["8","9"]}', "regex"),
    (b'{"player":[8,9],"banker":["8","9"]}', "Expected `str`"),
    (b'{"player":"89","banker":["8","9"]}', "Expected `array`"),
    (b'{"player":["8","9"],"banker":["8","9"],"result":"X"}', "result"),
    (b'{"player":["8","9"],"banker":["8","9"],"pairs":"BP"}', "pairs"),
    (b'{"player":["8","9"],"banker":["8","9"],"ptot":"7"}', "ptot"),
    (b'{"player":["8","9\xff"],"banker":["8","9"]}', "UTF-8"),
    (b"\x00\xff\xfe", "malformed"),
    (b"[" * 100_000, ""),
]


@pytest.mark.parametrize(("line", "said"), UNREADABLE)
def test_what_is_no_recorded_round_is_named_by_its_line(line: bytes, said: str) -> None:
    with pytest.raises(RecordsError, match=r"^line 2: ") as raised:
        read_records(b'{"player":["8","9"],"banker":["2","2"]}\n' + line)
    assert said in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("content", [b"", b"\n", b" \r\n\n"])
def test_a_file_without_any_round_is_said_to_be_so(content: bytes) -> None:
    with pytest.raises(RecordsError, match=r"^holds no round$"):
        read_records(content)


@given(st.binary(max_size=200))
def test_whatever_bytes_come_they_are_rounds_or_an_error_of_ours(content: bytes) -> None:
    with contextlib.suppress(RecordsError):
        assert read_records(content)
