"""Settings: the environment of a service, read once and checked whole at start."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Final, Literal
from urllib.parse import parse_qsl, urlsplit

import msgspec
from msgspec import Meta
from redis import ConnectionPool

from schemas.house_rules import SHIPPED_DIRECTORY

_Pit = Annotated[str, Meta(pattern=r"^[A-Za-z0-9._-]{1,64}$(?!\n)")]


class SettingsError(Exception):
    """A setting cannot be used: the message names it and what is allowed, in one line."""


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """A service's settings. Each is the environment variable of the same name in capitals (see `NAMES`)."""

    redis_url: Annotated[str, Meta(pattern=r"^(redis|rediss|unix)://")] = "redis://127.0.0.1:6379/0"
    pits: Annotated[tuple[_Pit, ...], Meta(min_length=1)] = ("demo",)
    http_host: str = "127.0.0.1"
    http_port: Annotated[int, Meta(ge=0, le=65535)] = 0
    house_directories: tuple[Path, ...] = (SHIPPED_DIRECTORY,)
    log_level: Literal["debug", "info", "warning", "error"] = "info"


# What an address may say behind `?`: the database, and TLS.
ADDRESS_OPTIONS: Final = ("db", "ssl_ca_certs", "ssl_certfile", "ssl_keyfile", "ssl_cert_reqs", "ssl_check_hostname")

NAMES = {
    "redis_url": "REDIS_URL",
    "pits": "BACCARAT_PITS",
    "http_host": "BACCARAT_HTTP_HOST",
    "http_port": "BACCARAT_HTTP_PORT",
    "house_directories": "BACCARAT_HOUSE_DIR",
    "log_level": "BACCARAT_LOG_LEVEL",
}


def read_settings(environment: Mapping[str, str] = os.environ) -> Settings:
    """The settings of this environment, or SettingsError.

    A value may stand in a file instead, named by the variable with `_FILE` behind it: how secrets are mounted.
    """
    given: dict[str, object] = {}
    for field, name in NAMES.items():
        value = value_of(environment, name)
        if value is not None:
            given[field] = value
    if "pits" in given:
        given["pits"] = str(given["pits"]).split(",")
    if "house_directories" in given:
        given["house_directories"] = [str(given["house_directories"]), str(SHIPPED_DIRECTORY)]
    try:
        settings = msgspec.convert(given, Settings, strict=False, dec_hook=lambda kind, value: kind(value))
    except msgspec.ValidationError as error:
        what, _, path = str(error).partition(" - at `$.")
        raise SettingsError(f"{NAMES.get(path.rstrip('`').split('[')[0], 'settings')}: {what}") from None
    _check_address(settings.redis_url)
    if len(set(settings.pits)) != len(settings.pits):
        raise SettingsError("BACCARAT_PITS: names a pit twice")
    return settings


def _check_address(url: str) -> None:
    """Raises SettingsError; its message shows nothing of an address that may hold a password."""
    options = [name for name, _ in parse_qsl(urlsplit(url).query, keep_blank_values=True)]
    if unknown := [name for name in options if name not in ADDRESS_OPTIONS]:
        # Others would leave a service deaf, or change what its connections do.
        raise SettingsError(f"REDIS_URL: the option {unknown[0]} is not allowed; allowed: {', '.join(ADDRESS_OPTIONS)}")
    try:
        ConnectionPool.from_url(url).make_connection()
    except (ValueError, TypeError) as error:
        what = str(error) if "@" not in url else "is no address; a password's / @ : # ? are written in per cent"
        raise SettingsError(f"REDIS_URL: {what}") from None


def value_of(environment: Mapping[str, str], name: str) -> str | None:
    """The variable's value, or what stands in the file that `…_FILE` names; None: neither. Raises SettingsError."""
    path = environment.get(f"{name}_FILE")
    if path is None:
        return environment.get(name)
    if name in environment:
        raise SettingsError(f"{name}: is set, and {name}_FILE too; allowed: one of them")
    try:
        return Path(path).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{name}_FILE: cannot read {path}: {error}") from None
