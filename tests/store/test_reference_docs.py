"""The reference says everything there is: settings, errors, events, columns."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from docs.render import PAGES

from workroom.actions.engine import Engine
from workroom.store.schema_docs import as_markdown, columns

REFERENCE = Path(__file__).parents[2] / "docs" / "reference"
SOURCES = Path(__file__).parents[2] / "src" / "workroom" / "server"


@pytest.mark.parametrize("page", sorted(PAGES))
def test_the_page_made_from_the_code_is_up_to_date(page: str) -> None:
    """To renew them: make docs"""
    assert (REFERENCE / page).read_text() == PAGES[page]()


def test_every_socket_event_is_in_the_reference() -> None:
    modules = [*SOURCES.glob("realtime/*.py"), *SOURCES.glob("serializers/*.py")]
    code = "".join(module.read_text() for module in modules)
    events = set(re.findall(r'"([a-z_]+:[a-z_]+)"', code))
    assert len(events) > 10
    told = (REFERENCE / "events.md").read_text()
    assert [event for event in sorted(events) if f"| `{event}` |" not in told] == []


async def test_the_schema_page_is_what_the_database_says(engine: Engine) -> None:
    """To renew it: workroom db describe > docs/reference/schema.md"""
    async with engine.database.connection() as connection:
        described = await columns(connection)
    assert [f"{one.table}.{one.name}" for one in described if not one.comment or not one.purpose] == []
    assert (REFERENCE / "schema.md").read_text() == as_markdown(described)
