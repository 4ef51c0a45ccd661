"""The clock and the live pools of a database, for monitoring."""

from __future__ import annotations

from importlib.resources import files
from typing import NamedTuple

import psycopg


class Pulse(NamedTuple):
    clock: float  # the database's, in seconds since 1970
    pools: int  # how many pool processes are alive


def pulse(url: str) -> Pulse:
    query = (files("workroom.store") / "sql/worker/pulse.sql").read_bytes()
    with psycopg.connect(url, autocommit=True) as connection:
        row = connection.execute(query).fetchone()
    assert row is not None
    return Pulse(*row)
