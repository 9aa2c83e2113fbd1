"""The image: small, pinned, without rights."""

from tests.servers import ROOT

INSTRUCTIONS = [
    line.split(maxsplit=1)
    for line in (ROOT / "deploy" / "Dockerfile").read_text().replace("\\\n", "").splitlines()
    if line and not line.startswith("#")
]


def given(name: str) -> list[str]:
    return [rest for instruction, rest in INSTRUCTIONS if instruction == name]


def test_the_base_is_the_builders_choice() -> None:
    assert INSTRUCTIONS[0][0] == "ARG"
    assert [line.split()[0] for line in given("FROM")] == ["${BASE_IMAGE}"] * 2


def test_only_the_locked_packages_schemas_and_services_are_inside() -> None:
    copied = ["deploy/requirements.lock /tmp/", "--from=packages /opt/venv /opt/venv"]
    assert given("COPY") == [*copied, "schemas /app/schemas", "services /app/services"]


def test_packages_are_installed_by_hash_as_wheels() -> None:
    (install,) = [line for line in given("RUN") if "pip" in line]
    assert "--require-hashes --only-binary :all:" in install


def test_it_runs_the_services_as_a_user_without_rights() -> None:
    user, _, group = given("USER")[-1].partition(":")
    assert int(user) > 10_000
    assert int(group) > 10_000
    assert given("ENTRYPOINT") == ['["python", "-m", "services"]']


def test_the_builder_sees_what_is_copied_and_nothing_else() -> None:
    rules = [line for line in (ROOT / ".dockerignore").read_text().splitlines() if not line.startswith("#")]
    assert rules == ["*", "!deploy/requirements.lock", "!schemas", "!services", "**/__pycache__"]
