"""Settings: what is allowed, and one readable line for what is not."""

from pathlib import Path

import pytest

from schemas.house_rules import SHIPPED_DIRECTORY
from services.runtime.settings import Settings, SettingsError, read_settings


def test_without_any_variable_the_defaults_stand() -> None:
    assert read_settings({}) == Settings()


def test_every_setting_is_read_from_its_variable() -> None:
    environment = {
        "REDIS_URL": "rediss://user:secret@redis:6380/0",
        "BACCARAT_PITS": "north,south",
        "BACCARAT_HTTP_HOST": "0.0.0.0",
        "BACCARAT_HTTP_PORT": "8080",
        "BACCARAT_HOUSE_DIR": "/etc/house",
        "BACCARAT_LOG_LEVEL": "debug",
    }
    assert read_settings(environment) == Settings(
        redis_url="rediss://user:secret@redis:6380/0",
        pits=("north", "south"),
        http_host="0.0.0.0",
        http_port=8080,
        house_directories=(Path("/etc/house"), SHIPPED_DIRECTORY),
        log_level="debug",
    )


def test_a_secret_may_stand_in_a_file(tmp_path: Path) -> None:
    (tmp_path / "url").write_text("redis://from-a-file/0\n")
    assert read_settings({"REDIS_URL_FILE": str(tmp_path / "url")}).redis_url == "redis://from-a-file/0"


@pytest.mark.parametrize(
    ("environment", "message"),
    [
        ({"REDIS_URL": "http://redis"}, "REDIS_URL: "),
        ({"REDIS_URL": ""}, "REDIS_URL: "),
        ({"REDIS_URL": "redis://redis:port/0"}, "REDIS_URL: "),
        ({"REDIS_URL": "redis://redis/0?no_such=option"}, "REDIS_URL: the option no_such is not allowed"),
        ({"REDIS_URL": "redis://redis/0?max_connections=1"}, "REDIS_URL: the option max_connections is not allowed"),
        ({"REDIS_URL": "redis://redis/0?decode_responses=1"}, "REDIS_URL: the option decode_responses is not allowed"),
        ({"BACCARAT_PITS": ""}, "BACCARAT_PITS: "),
        ({"BACCARAT_PITS": "a,,b"}, "BACCARAT_PITS: "),
        ({"BACCARAT_PITS": "a{b}"}, "BACCARAT_PITS: "),
        ({"BACCARAT_PITS": "a,b,a"}, "BACCARAT_PITS: names a pit twice"),
        ({"BACCARAT_HTTP_PORT": "http"}, "BACCARAT_HTTP_PORT: "),
        ({"BACCARAT_HTTP_PORT": "65536"}, "BACCARAT_HTTP_PORT: "),
        ({"BACCARAT_LOG_LEVEL": "loud"}, "BACCARAT_LOG_LEVEL: "),
        ({"REDIS_URL_FILE": "/no/such/file"}, "REDIS_URL_FILE: cannot read /no/such/file"),
        ({"REDIS_URL": "redis://a", "REDIS_URL_FILE": "b"}, "REDIS_URL: is set, and REDIS_URL_FILE too"),
    ],
)
def test_a_wrong_setting_is_one_line_that_names_it(environment: dict[str, str], message: str) -> None:
    with pytest.raises(SettingsError) as caught:
        read_settings(environment)
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


def test_a_wrong_address_shows_nothing_of_its_password() -> None:
    with pytest.raises(SettingsError) as caught:
        read_settings({"REDIS_URL": "redis://user:se/cret:x@redis:6379/0"})
    assert "REDIS_URL: is no address" in str(caught.value)
    assert not any(part in str(caught.value) for part in ("se", "cret", "user"))
