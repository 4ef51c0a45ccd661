"""One logging system: fields, levels and secrets are treated the same in every process."""

from __future__ import annotations

import logging
import re
from pathlib import Path

import orjson
import pytest

from workroom import logs


def test_json_lines_carry_logger_level_and_fields(capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure("info", "json")
    logs.get_logger("workroom.server.app").warning("worker lost", worker="w-1", jobs=2)
    line = orjson.loads(capsys.readouterr().err)
    assert line.pop("timestamp")
    assert line == {
        "event": "worker lost",
        "worker": "w-1",
        "jobs": 2,
        "level": "warning",
        "logger": "workroom.server.app",
    }


def test_the_level_applies_to_workroom_and_other_libraries_log_warnings(capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure("info", "text")
    logs.get_logger("workroom.x").debug("hidden")
    logs.get_logger("workroom.x").info("shown")
    logging.getLogger("elsewhere").info("hidden too")
    logging.getLogger("elsewhere").warning("also shown")
    written = capsys.readouterr().err
    assert "hidden" not in written and "shown" in written and "also shown" in written


@pytest.mark.parametrize("form", ["text", "json"])
def test_secrets_are_removed_also_from_what_other_libraries_log(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure("info", form)
    logs.get_logger("workroom.x").info("connected", url="postgresql://ada:secret@host/db", token="eyJh.eyJz.c2ln")
    logging.getLogger("elsewhere").warning("cannot connect to %s", "postgresql://ada:secret@host/db")
    written = capsys.readouterr().err
    assert "secret" not in written and "eyJh" not in written and written.count("***") == 3


def test_an_exception_is_logged_with_its_traceback(capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure("info", "text")
    try:
        raise ValueError("broken")
    except ValueError:
        logs.get_logger("workroom.x").exception("unexpected error")
    assert "ValueError: broken" in capsys.readouterr().err


def test_a_program_that_does_not_configure_it_gets_plain_records(caplog: pytest.LogCaptureFixture) -> None:
    log = logs.get_logger("workroom.client")
    log.warning("lock lost", room="r-1")
    log.info("not at this level")
    assert [record.getMessage() for record in caplog.records] == ["lock lost room=r-1"]
    assert caplog.records[0].name == "workroom.client"


def test_no_module_logs_past_it() -> None:
    package = Path(logs.__file__).parent
    elsewhere = re.compile(r'structlog\.get_logger|logging\.getLogger\("workroom')
    modules = [file for file in package.rglob("*.py") if file.name != "logs.py"]
    assert [str(file) for file in modules if elsewhere.search(file.read_text())] == []
