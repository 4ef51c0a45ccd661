"""Whether a database answers; its clock and its live pools, for monitoring."""

from __future__ import annotations

from importlib.resources import files
from typing import NamedTuple

import psycopg

from workroom.domain.errors import DatabaseUnreachable
from workroom.store.connect import connect


class Pulse(NamedTuple):
    clock: float  # the database's, in seconds since 1970
    pools: int  # how many pool processes are alive


def answers(url: str) -> bool:
    """Whether the database accepts connections; raises when it refuses this user or this database."""
    try:
        connect(url).close()
    except DatabaseUnreachable:
        return False
    return True


def pulse(url: str) -> Pulse:
    query = (files("workroom.store") / "sql/worker/pulse.sql").read_bytes()
    with psycopg.connect(url, autocommit=True) as connection:
        row = connection.execute(query).fetchone()
    assert row is not None
    return Pulse(*row)
