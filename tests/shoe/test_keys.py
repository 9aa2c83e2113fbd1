"""The shoe's master keys in the environment: what is allowed, and that no message shows one."""

from pathlib import Path

import pytest

from services.runtime.settings import SettingsError
from services.shoe.dealer import Dealer
from services.shoe.keys import MasterKey, read_keys
from tests.keys import OTHER_SHOE_KEY, SHOE_KEY

HERE = "redis://127.0.0.1:6379/0"


def test_without_a_variable_there_is_no_key() -> None:
    assert read_keys(HERE, {}) == ()


def test_keys_are_the_bytes_that_their_digits_spell_the_newest_first() -> None:
    keys = read_keys(HERE, {"BACCARAT_SHOE_KEY": f"{SHOE_KEY},{OTHER_SHOE_KEY}"})
    assert [key.secret for key in keys] == [bytes.fromhex(SHOE_KEY), bytes.fromhex(OTHER_SHOE_KEY)]


def test_keys_may_stand_in_a_file(tmp_path: Path) -> None:
    (tmp_path / "keys").write_text(f"{SHOE_KEY}\n")
    (key,) = read_keys(HERE, {"BACCARAT_SHOE_KEY_FILE": str(tmp_path / "keys")})
    assert key.secret == bytes.fromhex(SHOE_KEY)


MISTYPED = [
    ("", "key 1 of 1"),
    (SHOE_KEY[:-1], "key 1 of 1"),
    (SHOE_KEY + "0", "key 1 of 1"),
    (SHOE_KEY.upper(), "key 1 of 1"),
    (f"g{SHOE_KEY[1:]}", "key 1 of 1"),
    (f" {SHOE_KEY}", "key 1 of 1"),
    (f"{SHOE_KEY},", "key 2 of 2"),
    (f"{SHOE_KEY}, {OTHER_SHOE_KEY}", "key 2 of 2"),
    (f"{SHOE_KEY};{OTHER_SHOE_KEY}", "key 1 of 1"),
    (f"{OTHER_SHOE_KEY}\n{SHOE_KEY}", "key 1 of 1"),
    (f"{SHOE_KEY},{SHOE_KEY}", "names a key twice"),
    (f"{SHOE_KEY},{OTHER_SHOE_KEY},{SHOE_KEY}", "names a key twice"),
]


@pytest.mark.parametrize(("given", "told"), MISTYPED)
def test_a_mistyped_key_is_one_line_that_shows_none_of_it(given: str, told: str) -> None:
    with pytest.raises(SettingsError) as caught:
        read_keys(HERE, {"BACCARAT_SHOE_KEY": given})
    assert str(caught.value).startswith(f"BACCARAT_SHOE_KEY: {told}")
    assert "\n" not in str(caught.value)
    assert not any(given[at : at + 8].strip() in str(caught.value) for at in range(len(given) - 8))
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None


PLAINTEXT = [
    ("redis://10.0.0.7:6379/0", False),
    ("redis://shoe:secret@redis.floor:6379/0", False),
    ("redis://[2001:db8::1]:6379/0", False),
    ("redis://0.0.0.0:6379/0", False),
    ("redis://127.0.0.1.example:6379/0", False),
    ("redis://127.0.0.1:6379/0", True),
    ("redis://127.9.9.9/0", True),
    ("redis://[::1]:6379/0", True),
    ("redis://localhost:6379/0", True),
    ("redis://LocalHost:6379/0", True),
    ("rediss://redis.floor:6380/0", True),
    ("unix:///run/redis.sock", True),
]


@pytest.mark.parametrize(("url", "allowed"), PLAINTEXT)
def test_a_key_and_a_connection_that_others_can_read_do_not_come_together(url: str, allowed: bool) -> None:
    environment = {"BACCARAT_SHOE_KEY": SHOE_KEY}
    assert read_keys(url, {}) == ()
    assert len(read_keys(url, {**environment, "BACCARAT_ALLOW_PLAINTEXT": "1"})) == 1
    if allowed:
        assert len(read_keys(url, environment)) == 1
        return
    with pytest.raises(SettingsError, match="BACCARAT_ALLOW_PLAINTEXT=1") as caught:
        read_keys(url, environment)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("word", ["0", "yes", ""])
def test_whoever_allows_plaintext_says_one(word: str) -> None:
    with pytest.raises(SettingsError, match="BACCARAT_ALLOW_PLAINTEXT: is not 1"):
        read_keys(HERE, {"BACCARAT_ALLOW_PLAINTEXT": word})


def test_no_representation_shows_a_key() -> None:
    key = MasterKey(bytes.fromhex(SHOE_KEY))
    for shown in (repr(key), str(key), repr([key]), repr(vars(Dealer([key])))):
        assert SHOE_KEY[:8] not in shown
        assert repr(key.secret)[2:10] not in shown
    assert SHOE_KEY[:8] not in key.fingerprint


def test_fingerprints_tell_keys_apart_and_are_the_same_everywhere() -> None:
    # SHA-256 over `11:fingerprint32:` and the key's 32 bytes, its first 16 digits, made with the program openssl.
    assert MasterKey(bytes.fromhex(SHOE_KEY)).fingerprint == "7506d2cd646cab71"
    assert MasterKey(bytes.fromhex(OTHER_SHOE_KEY)).fingerprint == "b83a450c4b7268c6"
