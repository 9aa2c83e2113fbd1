"""The embedded server's set-up, as far as it needs no server."""

import socket
from pathlib import Path

import pytest

from services.floor.host.data_folder import CannotRun
from services.floor.host.embedded_server import ACL_FILE, check_port, free_port, server_command, users_with_secrets
from services.floor.host.running_system import ROLES


def test_every_user_but_the_default_gets_a_secret_of_its_own() -> None:
    users, secrets = users_with_secrets("user default off\n\n# a word\nuser a on +ping\nuser b on (+get ~x)\n")
    assert users == (f"user default off\nuser a on +ping >{secrets['a']}\nuser b on (+get ~x) >{secrets['b']}\n")
    assert set(secrets) == {"a", "b"}
    assert len({*secrets.values(), *users_with_secrets("user a on")[1].values()}) == 3
    assert all(len(secret) >= 32 for secret in secrets.values())


def test_the_floors_users_hold_every_role_and_no_default() -> None:
    users, secrets = users_with_secrets(ACL_FILE.read_text(encoding="utf-8"))
    assert set(ROLES) <= set(secrets)
    assert "user default off" in users


def test_a_taken_port_is_one_line_and_a_free_one_nothing() -> None:
    check_port(free_port())
    with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(CannotRun, match=r"^port \d+ cannot be used: "):
        check_port(taken.getsockname()[1])


@pytest.mark.parametrize(("durable", "waits_for_the_disk"), [(True, True), (False, False)])
def test_only_data_that_are_thrown_away_do_not_wait_for_the_disk(
    tmp_path: Path, durable: bool, waits_for_the_disk: bool
) -> None:
    arguments = server_command(tmp_path, 1, "user default off\n", durable=durable).arguments
    assert ("--appendonly" not in arguments) is waits_for_the_disk
