"""The error of a failed job, and what a worker may report of it."""

from __future__ import annotations

import json
import sys
from uuid import uuid4

import orjson
import pytest

from workroom.domain import limits
from workroom.domain.jobs.job_error import exception_error, process_died_error, timeout_error
from workroom.domain.jobs.outcomes import Failed
from workroom.server.serializers.report_parser import to_report
from workroom.wire.jobs import StatusUpdate


def _stored(error: object) -> dict[str, object]:
    update = StatusUpdate(status="failed", worker_id=uuid4(), attempt=1, error=error)
    outcome = to_report(uuid4(), update).outcome
    assert isinstance(outcome, Failed)
    return outcome.error


@pytest.mark.parametrize("error", [timeout_error(2.5), process_died_error("It ended with exit code 7.")])
def test_the_reason_a_worker_reports_is_stored(error: dict[str, object]) -> None:
    assert _stored(error) == error


@pytest.mark.parametrize("reason", ["worker_lost", "dependency_failed", "made up", 7, ["timeout"], None])
def test_a_reason_that_only_the_server_knows_is_not_taken_from_a_worker(reason: object) -> None:
    assert "reason" not in _stored({"type": "ValueError", "message": "no", "reason": reason})


def test_a_plain_text_is_the_message() -> None:
    assert _stored("out of luck") == {"type": "Error", "message": "out of luck"}


def test_an_exception_is_described_without_what_the_database_cannot_store() -> None:
    class Unprintable(Exception):
        def __str__(self) -> str:
            raise RuntimeError

    assert exception_error(ValueError("a\0b \ud800"))["message"] == "a\\0b ?"
    described = exception_error(Unprintable())
    assert described["type"] == "Unprintable" and "raised another" in described["message"]


@pytest.mark.parametrize("letter", ["x", "\N{GRINNING FACE}", "\x01", '"', "\0", "\ud800"])
def test_the_error_of_an_exception_is_bounded_in_bytes(letter: str) -> None:
    error = exception_error(ValueError(letter * 100_000))
    assert len(orjson.dumps(error)) <= limits.ERROR_BYTES
    assert len(orjson.dumps(error["message"])) > 9_900 and error["traceback"].endswith("\n")


def test_a_traceback_names_files_without_the_folders_of_the_machine() -> None:
    with pytest.raises(ValueError, match="Expecting") as raised:
        json.loads("[")
    described = exception_error(raised.value)["traceback"]
    assert 'File "json/decoder.py"' in described
    assert not any(f'"{folder}/' in described for folder in sys.path if folder)


def test_the_place_of_an_error_is_the_last_frame_of_the_users_code() -> None:
    def reads_a_number() -> None:
        json.loads("[")

    with pytest.raises(ValueError, match="Expecting") as raised:
        reads_a_number()
    place = exception_error(raised.value)["place"]
    assert place.endswith(f"test_job_error.py:{reads_a_number.__code__.co_firstlineno + 1} in reads_a_number")
    assert not place.startswith("/")
    assert "place" not in exception_error(ValueError("never raised"))
    assert _stored({"type": "ValueError", "place": "relax.py:3 in run"})["place"] == "relax.py:3 in run"
