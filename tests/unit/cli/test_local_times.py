"""Times that people write without a zone are local times."""

from __future__ import annotations

import time
from collections.abc import Generator
from datetime import UTC, datetime

import pytest

from workroom.actions.profiles import ProfileFilter, parse_side
from workroom.cli.profile_queries import local_side
from workroom.domain.errors import BadInput


@pytest.fixture(autouse=True)
def in_kathmandu(monkeypatch: pytest.MonkeyPatch) -> Generator[None]:
    monkeypatch.setenv("TZ", "Asia/Kathmandu")  # 5:45 ahead of UTC
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


def test_the_sides_of_a_comparison_are_local_times() -> None:
    side = parse_side(local_side("2026-01-31T12:00..2026-02-01T00:00:00+00:00"), ProfileFilter())
    assert side.since == datetime(2026, 1, 31, 6, 15, tzinfo=UTC)
    assert side.until == datetime(2026, 2, 1, tzinfo=UTC)
    assert parse_side(local_side("2026-01-31.."), ProfileFilter()).until is None


@pytest.mark.parametrize("text", ["posting:a..b", "version:1..2", "machine:box", "other"])
def test_other_sides_stay_as_they_are(text: str) -> None:
    assert local_side(text) == text


def test_the_server_does_not_guess_a_zone() -> None:
    with pytest.raises(BadInput, match="no offset from UTC"):
        parse_side("2026-01-31..", ProfileFilter())
