"""Databases for tests: one that is emptied after each test, and some of their own.

To empty a database takes a few milliseconds. To copy one takes a second of a core, most of it for a thousand files.
"""

from __future__ import annotations

import os

import psycopg
from psycopg import sql

_LARGEST_BYTES = 60_000_000  # a larger one is made anew: deleted rows stay in its files

_CLEAR = """
DO $$
DECLARE one regclass;
BEGIN
    SET LOCAL session_replication_role = replica;  -- no foreign key is checked
    FOR one IN SELECT oid FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
                                          AND relname NOT IN ('alembic_version', 'applied_migration') LOOP
        EXECUTE format('DELETE FROM %s', one);
    END LOOP;
    PERFORM setval(oid::regclass, 1, false) FROM pg_class WHERE relkind = 'S' AND relnamespace = 'public'::regnamespace;
    DELETE FROM pg_statistic WHERE starelid IN (SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace);
END $$
"""


class SharedDatabase:
    """The database that the tests of one process use in turn."""

    def __init__(self, postgres_url: str) -> None:
        self._postgres_url = postgres_url
        self._name = f"test_{os.getpid()}_shared"
        self._exists = False

    def url(self) -> str:
        if not self._exists:
            create_database(self._postgres_url, self._name)
            self._exists = True
        return named(self._postgres_url, self._name)

    def clear(self) -> None:
        """End the connections that the test left open, and delete all rows."""
        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity "
                "WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
            connection.execute(_CLEAR)
            row = connection.execute("SELECT pg_database_size(current_database())").fetchone()
        if row is not None and row[0] > _LARGEST_BYTES:
            self.drop()

    def drop(self) -> None:
        if self._exists:
            drop_database(self._postgres_url, self._name)
            self._exists = False


def named(postgres_url: str, name: str) -> str:
    """The URL of another database of the same PostgreSQL."""
    return postgres_url.replace("/workroom?", f"/{name}?")


def create_database(postgres_url: str, name: str) -> None:
    """Make a copy of the database that is up to date."""
    with psycopg.connect(postgres_url, dbname="postgres", autocommit=True) as connection:
        connection.execute(
            sql.SQL("CREATE DATABASE {} TEMPLATE workroom STRATEGY file_copy").format(sql.Identifier(name))
        )


def drop_database(postgres_url: str, name: str) -> None:
    with psycopg.connect(postgres_url, dbname="postgres", autocommit=True) as connection:
        connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))
