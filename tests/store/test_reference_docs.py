"""The reference says everything there is: settings, errors, events, columns."""

from __future__ import annotations

import re
from pathlib import Path

import orjson
import pytest
from docs.render import PAGES, settings
from typer.testing import CliRunner

from workroom.actions.engine import Engine
from workroom.cli import app
from workroom.store.schema_docs import as_markdown, columns

REFERENCE = Path(__file__).parents[2] / "docs" / "reference"
SOURCES = Path(__file__).parents[2] / "src" / "workroom" / "server"


@pytest.mark.parametrize("page", sorted(PAGES))
def test_the_page_made_from_the_code_is_up_to_date(page: str) -> None:
    """To renew them: make docs"""
    assert (REFERENCE / page).read_text() == PAGES[page]()


def test_each_setting_says_its_unit_and_names_a_flag_only_if_it_has_one() -> None:
    rows = [
        [cell.strip() for cell in line.split("|")[1:-1]] for line in settings().splitlines() if line.startswith("| `")
    ]
    told = {row[0].strip("`"): row[1:4] for row in rows}
    assert told["lease_seconds"] == ["", "`30.0`", "s"] and told["pool_memory_mb"][2] == "MB"
    assert told["port"][0] == "`--port`" and told["keep_days"][0] == ""
    flags = {name for name, (flag, _, _) in told.items() if flag}
    assert 5 < len(flags) < 20
    assert "/var/lib/workroom" in (REFERENCE / "settings.md").read_text()


def test_config_show_tells_where_the_data_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WORKROOM_DATA", raising=False)
    monkeypatch.setattr("workroom.store.embedded.default_data_folder", lambda: tmp_path / "workroom")
    shown = CliRunner().invoke(app, ["config", "show", "--json"])
    (data,) = [one for one in orjson.loads(shown.output) if one["name"] == "data"]
    assert (data["value"], data["origin"]) == (str(tmp_path / "workroom"), "default")


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
