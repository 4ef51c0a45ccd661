"""The files of `store/sql`: all are used, all are understood, and what they have in common stands once."""

from __future__ import annotations

import re
from pathlib import Path

import psycopg
import pytest
from tests.store.statement_list import statements as all_statements

import workroom.store

STORE = Path(workroom.store.__file__).parent
FILES = {str(path.relative_to(STORE / "sql").with_suffix("")): path.read_text() for path in STORE.glob("sql/*/*.sql")}
FRAGMENTS = {name for name in FILES if name.startswith("fragments/")}
LISTS = re.compile(
    r"/list$|/jobs$|/failures$|^profile/|^history/read$|^job/(error_groups|ended_counts|last_examined|posting_matches)$"
    r"|^fragments/(profile_filters|found_jobs|compared_jobs)$"
)


def test_every_file_is_used() -> None:
    words = "\n".join(path.read_text() for path in STORE.rglob("*.py"))
    assert [name for name in FILES.keys() - FRAGMENTS if not re.search(rf'{name}[".]', words)] == []


@pytest.mark.parametrize("fragment", sorted(FRAGMENTS))
def test_a_fragment_is_shared(fragment: str) -> None:
    using = [name for name, text in FILES.items() if re.search(rf"--< {fragment}(?: --\? \w+)?$", text, re.MULTILINE)]
    assert len(using) > 1, f"{fragment} is used in {using}: text that one statement uses belongs into its file"


def test_only_lists_have_optional_filters() -> None:
    assert [name for name, text in FILES.items() if "--?" in text and not LISTS.search(name)] == []


def test_what_upkeep_deletes_is_bounded() -> None:
    """A backlog of months must not become one transaction. Expired locks are deleted all the time, so they are few."""
    deleting = re.compile(r"(?<!^lock)/(prune|delete_(old|expired|idle|removed|unused|orphan))")
    found = {name: text for name, text in FILES.items() if deleting.search(name)}
    assert len(found) > 8
    assert [name for name, text in found.items() if "%(limit)s" not in text] == []


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
    statements = all_statements()
    assert len(statements) > 190
    with psycopg.connect(database_url, autocommit=True) as connection:
        answers = {one.name: connection.pgconn.prepare(b"", one.query) for one in statements}
    assert {name: said.error_message.decode() for name, said in answers.items() if said.error_message} == {}
