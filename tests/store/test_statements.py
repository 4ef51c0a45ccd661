"""The files of `store/sql`: all are used, all are understood, and what they have in common stands once."""

from __future__ import annotations

import gc
import importlib
import pkgutil
import re
from pathlib import Path
from typing import Any

import psycopg
import pytest

import workroom.store
from workroom.store.statement import Statement

STORE = Path(workroom.store.__file__).parent
FILES = {str(path.relative_to(STORE / "sql").with_suffix("")): path.read_text() for path in STORE.glob("sql/*/*.sql")}
PARTS = {name for name in FILES if name.startswith("part/")}


def _statements() -> list[Statement[Any]]:
    for module in pkgutil.walk_packages(workroom.store.__path__, "workroom.store."):
        if "migrations" not in module.name:  # Alembic runs those itself
            importlib.import_module(module.name)
    return [one for one in gc.get_objects() if isinstance(one, Statement)]


def test_every_file_is_used() -> None:
    words = "\n".join(path.read_text() for path in STORE.rglob("*.py"))
    assert [name for name in FILES.keys() - PARTS if not re.search(rf'{name}[".]', words)] == []


@pytest.mark.parametrize("part", sorted(PARTS))
def test_a_part_is_shared(part: str) -> None:
    using = [name for name, text in FILES.items() if re.search(rf"--< {part}$", text, re.MULTILINE)]
    assert len(using) > 1, f"{part} stands in {using}: what one statement says belongs into its file"


def test_every_statement_is_understood(database_url: str) -> None:
    statements = _statements()
    assert len(statements) > 200
    with psycopg.connect(database_url, autocommit=True) as connection:
        answers = {one.name: connection.pgconn.prepare(b"", one.query) for one in statements}
    assert {name: said.error_message.decode() for name, said in answers.items() if said.error_message} == {}
