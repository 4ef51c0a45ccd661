"""The stored form of a job's error."""

from __future__ import annotations

from workroom.domain.jobs.job_errors import exception_error, timeout_error


class Unprintable(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no message")


def test_an_exception_has_its_type_message_and_traceback() -> None:
    try:
        raise ValueError("7 is odd")
    except ValueError as error:
        described = exception_error(error)
    assert (described["type"], described["message"]) == ("ValueError", "7 is odd")
    assert described["traceback"].rstrip().endswith("ValueError: 7 is odd")


def test_an_exception_without_a_printable_message_is_described_too() -> None:
    assert exception_error(Unprintable())["message"] == "(its message cannot be shown)"


def test_text_that_postgresql_rejects_is_replaced() -> None:
    assert exception_error(ValueError("a\0b\ud800"))["message"] == "a\\0b?"


def test_long_messages_are_cut() -> None:
    described = exception_error(ValueError("x" * 100_000))
    assert len(described["message"]) == 4_000
    assert len(described["traceback"]) == 20_000


def test_a_timeout_states_its_limit_and_its_reason() -> None:
    assert timeout_error(2.5) == {
        "type": "JobTimeout",
        "reason": "timeout",
        "message": "The job exceeded its time limit of 2.5 s.",
    }
