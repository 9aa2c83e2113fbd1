"""The generated documents are those of the event classes as they are."""

import shutil
from pathlib import Path

import pytest

from schemas import documents


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the documents that a test may spoil."""
    schemas = tmp_path / "schemas"
    shutil.copytree(documents.DIRECTORY / "json", schemas / "json")
    shutil.copy(documents.DIRECTORY / "asyncapi.yaml", schemas)
    monkeypatch.setattr(documents, "DIRECTORY", schemas)
    return schemas


def test_the_documents_are_up_to_date() -> None:
    documents.main(["--check"])


@pytest.mark.parametrize("name", ["asyncapi.yaml", "json/bet.place.json"])
def test_a_document_that_is_out_of_date_is_named(project: Path, name: str) -> None:
    with (project / name).open("a") as file:
        file.write(" ")
    with pytest.raises(SystemExit, match=rf"out of date: schemas/{name} \("):
        documents.main(["--check"])


def test_a_missing_document_is_named(project: Path) -> None:
    (project / "json" / "bet.place.json").unlink()
    with pytest.raises(SystemExit, match=r"out of date: schemas/json/bet\.place\.json \("):
        documents.main(["--check"])


def test_a_schema_of_no_event_is_named_and_goes(project: Path) -> None:
    (project / "json" / "bet.doubled.json").write_text("{}")
    with pytest.raises(SystemExit, match=r"out of date: schemas/json/bet\.doubled\.json \("):
        documents.main(["--check"])
    documents.main([])
    assert not (project / "json" / "bet.doubled.json").exists()


def test_writing_puts_everything_right(project: Path) -> None:
    shutil.rmtree(project / "json")
    (project / "asyncapi.yaml").write_text("asyncapi: 2.0.0")
    documents.main([])
    documents.main(["--check"])


def test_an_unknown_argument_is_answered_with_the_usage() -> None:
    with pytest.raises(SystemExit, match="usage"):
        documents.main(["--chek"])
