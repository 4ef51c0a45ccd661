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
FRAGMENTS = {name for name in FILES if name.startswith("fragments/")}
LISTS = re.compile(
    r"/list$|/jobs$|/failures$|^profile/|^history/read$|^job/(error_groups|ended_counts|last_examined|posting_matches)$"
    r"|^fragments/(profile_filters|found_jobs|compared_jobs)$"
)


def _statements() -> list[Statement[Any]]:
    for module in pkgutil.walk_packages(workroom.store.__path__, "workroom.store."):
        if "migrations" not in module.name:  # Alembic runs those itself
            importlib.import_module(module.name)
    return [one for one in gc.get_objects() if type(one) is Statement]


def test_every_file_is_used() -> None:
    words = "\n".join(path.read_text() for path in STORE.rglob("*.py"))
    assert [name for name in FILES.keys() - FRAGMENTS if not re.search(rf'{name}[".]', words)] == []


@pytest.mark.parametrize("fragment", sorted(FRAGMENTS))
def test_a_fragment_is_shared(fragment: str) -> None:
    using = [name for name, text in FILES.items() if re.search(rf"--< {fragment}(?: --\? \w+)?$", text, re.MULTILINE)]
    assert len(using) > 1, f"{fragment} is used in {using}: text that one statement uses belongs into its file"


def test_only_lists_have_optional_filters() -> None:
    assert [name for name, text in FILES.items() if "--?" in text and not LISTS.search(name)] == []


def test_a_notification_has_a_query_of_its_own() -> None:
    """`pg_notify` inside another expression is easy to overlook."""
    hidden = [
        name
        for name, text in FILES.items()
        for line in text.splitlines()
        if "pg_notify" in line and not line.strip().startswith(("SELECT pg_notify", "--"))
    ]
    assert hidden == []


def test_every_statement_is_understood(database_url: str) -> None:
    statements = _statements()
    assert len(statements) > 190
    with psycopg.connect(database_url, autocommit=True) as connection:
        answers = {one.name: connection.pgconn.prepare(b"", one.query) for one in statements}
    assert {name: said.error_message.decode() for name, said in answers.items() if said.error_message} == {}
