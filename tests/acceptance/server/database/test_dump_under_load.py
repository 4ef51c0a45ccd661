"""A dump that is taken while pools work is the database of one moment."""

from __future__ import annotations

import threading
from collections.abc import Generator
from pathlib import Path

import psycopg
import pytest
from psycopg import sql
from tests.acceptance import pool_functions
from tests.acceptance.live import LiveServer
from tests.acceptance.server.database.test_dump_and_restore import checksums, workroom
from tests.structures import Atoms
from tests.workshop import MISCOUNTED

from workroom import ClusterPool, Registry, Room

BATCH = 300


@pytest.fixture
def empty_database(database: str) -> Generator[str]:
    name = "restored_under_load"
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    before, _, after = database.partition("?")
    yield f"{before.rpartition('/')[0]}/{name}?{after}"
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


def test_a_dump_under_load_has_every_acknowledged_job_and_counts_that_agree(
    database: str, empty_database: str, tmp_path: Path
) -> None:
    acknowledged: list[str] = []
    stop = threading.Event()

    def post() -> None:
        while not stop.is_set():
            # By URL: the commands below change this process's environment.
            posting = Registry["square"].post_work([(n,) for n in range(BATCH)], database=database)
            acknowledged.append(str(posting.id))

    file, again = tmp_path / "load.sql.gz", tmp_path / "again.sql.gz"
    with ClusterPool(2, [pool_functions.__name__], database):
        Registry["square"].post_work([(1,)]).wait(60)
        dumped = tmp_path / "dumped"  # one call is under way until then
        Registry["after_file"].post_work([(str(dumped), 1)])
        poster = threading.Thread(target=post)
        poster.start()
        try:
            while len(acknowledged) < 5:
                assert poster.is_alive()
                stop.wait(0.01)
            known = list(acknowledged)
            workroom("db", "dump", file, "--database", database)
        finally:
            dumped.touch()
            stop.set()
            poster.join()
    workroom("db", "restore", file, "--database", empty_database)
    with psycopg.connect(empty_database) as connection:
        postings = {str(row[0]) for row in connection.execute("SELECT id FROM posting").fetchall()}
        counts = connection.execute(
            "SELECT count(*) FROM posting WHERE total <> (SELECT count(*) FROM job WHERE posting_id = posting.id)"
        ).fetchone()
        assert set(known) <= postings and counts == (0,)
        assert connection.execute(MISCOUNTED.encode()).fetchall() == []
        states = dict(connection.execute("SELECT state::text, count(*) FROM job GROUP BY 1").fetchall())
        assert set(states) - {"completed"}, "it was taken while jobs were under way"
    # What was restored can be dumped and restored again: every row is the same.
    restored = checksums(empty_database)
    workroom("db", "dump", again, "--database", empty_database)
    workroom("db", "restore", again, "--replace", "--database", empty_database)
    assert checksums(empty_database) == restored


def test_a_dump_while_frames_are_written_has_every_frame_before_it(own_server: LiveServer, tmp_path: Path) -> None:
    """A frame is in the dump with all its values and its place in the trajectory, or not at all."""
    written: list[int] = []
    stop = threading.Event()

    def write() -> None:
        with Room("frames", own_server.url, "ada") as room:
            while not stop.is_set():
                number = len(written)
                room.append(Atoms("H", positions=[[number, 0, 0]]))
                written.append(number)
                if number % 10 == 9:
                    room[0] = Atoms("O", positions=[[0, number, 0]])

    file = tmp_path / "frames.sql.gz"
    writer = threading.Thread(target=write)
    writer.start()
    try:
        while len(written) < 50:
            assert writer.is_alive()
            stop.wait(0.01)
        known = len(written)
        workroom("db", "dump", file, "--data", own_server.data)
        assert len(written) > known, "it was taken while frames were written"
    finally:
        stop.set()
        writer.join()
    own_server.stop()
    workroom("db", "restore", file, "--replace", "--data", own_server.data)
    own_server.start()
    with Room("frames", own_server.url, "ada") as room:
        places = [float(atoms.positions[0, 0]) for atoms in room][1:]
        assert known <= len(places) + 1 <= len(written) and places == list(range(1, len(places) + 1))
        assert str(room[0].symbols) == "O" and room[0].positions[0, 1] % 10 == 9
        assert len(room.changes) > 0
