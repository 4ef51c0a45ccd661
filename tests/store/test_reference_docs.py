"""The reference says everything there is: settings, errors, events, columns."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from workroom.actions.engine import Engine
from workroom.domain.errors import every_error
from workroom.server.settings import Settings
from workroom.store.describe import as_markdown, columns

REFERENCE = Path(__file__).parents[2] / "docs" / "reference"
SOURCES = Path(__file__).parents[2] / "src" / "workroom" / "server"


@pytest.mark.parametrize("name", sorted(Settings.model_fields))
def test_every_setting_is_in_the_reference(name: str) -> None:
    assert f"| `{name}` |" in (REFERENCE / "settings.md").read_text()


@pytest.mark.parametrize("name", sorted(error.__name__ for error in every_error()))
def test_every_error_is_in_the_reference(name: str) -> None:
    assert f"| `{name}` |" in (REFERENCE / "errors.md").read_text()


def test_every_socket_event_is_in_the_reference() -> None:
    code = "".join((SOURCES / name).read_text() for name in ("herald.py", "sockets.py"))
    events = set(re.findall(r'"([a-z]+:[a-z_]+)"', code))
    assert len(events) > 10
    told = (REFERENCE / "events.md").read_text()
    assert [event for event in sorted(events) if f"| `{event}` |" not in told] == []


async def test_the_schema_page_is_what_the_database_says(engine: Engine) -> None:
    """To renew it: workroom db describe > docs/reference/schema.md"""
    async with engine.database.connection() as connection:
        described = await columns(connection)
    assert [f"{one.table}.{one.name}" for one in described if not one.comment or not one.purpose] == []
    assert (REFERENCE / "schema.md").read_text() == as_markdown(described)
