"""All data moves from the embedded database to another PostgreSQL and back: every row is the same."""

from __future__ import annotations

import gzip
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import psycopg
import pytest
from psycopg import sql
from tests.acceptance.live import LiveServer
from tests.acceptance.server.database.full_database import fill
from tests.store.postgres_server import tcp_server, throw_away_folder
from tests.structures import Atoms
from typer.testing import CliRunner, Result

from workroom import Room
from workroom.cli import app
from workroom.store.embedded import EmbeddedPostgres, running_url

OLDER = Path("/usr/lib/postgresql/15/bin")
cli = CliRunner()


def workroom(*words: str | Path, code: int = 0) -> Result:
    result = cli.invoke(app, [str(word) for word in words], env={"WORKROOM_DATABASE": None, "WORKROOM_DATA": None})
    assert result.exit_code == code, (result.output, result.exception)
    return result


def checksums(url: str) -> dict[str, tuple[int, str]]:
    """The number of rows and a checksum of each table; the last value of each sequence."""
    whole = "SELECT count(*), md5(coalesce(string_agg(one::text, '|' ORDER BY one::text), '')) FROM {} AS one"
    last = "SELECT last_value, is_called::text FROM {}"
    names = "SELECT relname, relkind FROM pg_class WHERE relnamespace = 'public'::regnamespace"
    found: dict[str, tuple[int, str]] = {}
    with psycopg.connect(url) as connection:
        for name, kind in connection.execute(names).fetchall():
            if kind in ("r", "S"):
                query = sql.SQL(whole if kind == "r" else last).format(sql.Identifier(name))
                found[name] = connection.execute(query).fetchall()[0]
    return found


def _show(compared: dict[str, tuple[int, str]]) -> None:
    print(f"\n{len(compared)} tables and sequences are compared")
    for table, (rows, checksum) in sorted(compared.items()):
        print(f"{table:<32} {rows:>8,}  {checksum}")


@contextmanager
def older_postgres() -> Generator[str]:
    """PostgreSQL 15 of the system, as the account of its own that root needs."""
    folder = Path(tempfile.mkdtemp(prefix="workroom-test-"))
    become = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] if os.geteuid() == 0 else []
    if become:
        shutil.chown(folder, "postgres", "postgres")
    data = folder / "data"

    def run(program: str, *words: str) -> None:
        subprocess.run([*become, OLDER / program, *words], check=True, capture_output=True, cwd=folder)

    try:
        run("initdb", "-D", str(data), "-U", "workroom", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8")
        run("pg_ctl", "-D", str(data), "-w", "-l", str(folder / "log"), "-o", f"-k {folder} -h ''", "start")
        try:
            url = f"postgresql://workroom@/workroom?host={folder}"
            with psycopg.connect(url, dbname="postgres", autocommit=True) as connection:
                connection.execute("CREATE DATABASE workroom")
            yield url
        finally:
            run("pg_ctl", "-D", str(data), "-m", "fast", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def external_postgres() -> Generator[str]:
    with tcp_server() as server:
        yield server.url()


@pytest.mark.parametrize("elsewhere", [external_postgres, pytest.param(older_postgres, marks=pytest.mark.full)])
async def test_embedded_to_another_postgresql_and_back_keeps_every_row(
    own_server: LiveServer, tmp_path: Path, elsewhere: Callable[[], AbstractContextManager[str]]
) -> None:
    if elsewhere is older_postgres and not (OLDER / "postgres").exists():
        pytest.skip("PostgreSQL 15 is not installed")
    await fill(own_server, tmp_path)
    there, back = tmp_path / "there.sql.gz", tmp_path / "back.sql.gz"
    assert "MB" in workroom("db", "dump", there, "--data", own_server.data).stdout  # beside the running server
    assert there.stat().st_mode & 0o077 == 0
    own_server.stop()
    with throw_away_folder() as folder:
        with EmbeddedPostgres(own_server.data) as postgres:
            before = checksums(postgres.url)
        assert [table for table, (rows, _) in before.items() if not rows] == [], "every table is compared"
        _show(before)
        workroom("db", "dump", there.with_name("stopped.sql.gz"), "--data", own_server.data)
        with elsewhere() as url:
            workroom("db", "restore", there.with_name("stopped.sql.gz"), "--database", url)
            assert checksums(url) == before
            workroom("db", "check", "--database", url)
            workroom("db", "dump", back, "--database", url)
        workroom("db", "restore", back, "--data", folder / "data")
        with EmbeddedPostgres(folder / "data") as postgres:
            assert checksums(postgres.url) == before


async def test_a_server_goes_on_with_what_was_restored(own_server: LiveServer, tmp_path: Path) -> None:
    with Room("frames", own_server.url, "ada") as room:
        room.append(Atoms("OH2"))
    file = tmp_path / "dump.sql.gz"
    workroom("db", "dump", file, "--data", own_server.data)
    with Room("frames", own_server.url, "ada") as room:
        room.append(Atoms("CH4"))
    in_use = workroom("db", "restore", file, "--replace", "--data", own_server.data, code=1)
    assert f"process {own_server.pid}" in in_use.stderr, "a running server is named"
    own_server.stop()
    full = workroom("db", "restore", file, "--data", own_server.data, code=1)
    assert "--replace" in full.stderr
    workroom("db", "restore", file, "--replace", "--data", own_server.data)
    own_server.start()
    with Room("frames", own_server.url, "ada") as room:
        assert [str(one.symbols) for one in room] == ["OH2"]
        room.append(Atoms("CO"))
        assert len(room) == 2


def test_a_dump_of_a_newer_version_replaces_nothing(own_server: LiveServer, tmp_path: Path) -> None:
    with Room("kept", own_server.url, "ada") as room:
        room.append(Atoms("OH2"))
    newer = tmp_path / "newer.sql.gz"
    own_server.stop()
    with EmbeddedPostgres(own_server.data) as postgres, psycopg.connect(postgres.url, autocommit=True) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '0099'")
        workroom("db", "dump", newer, "--database", postgres.url)
        connection.execute("UPDATE alembic_version SET version_num = '0001'")
        before = checksums(postgres.url)
        told = workroom("db", "restore", newer, "--replace", "--database", postgres.url, code=1).stderr
        assert "newer version of Workroom, with schema 0099: upgrade this program" in " ".join(told.split())
        assert checksums(postgres.url) == before
    own_server.start()
    with Room("kept", own_server.url, "ada") as room:
        assert len(room) == 1


def test_what_cannot_be_dumped_or_restored_is_told_and_changes_nothing(own_server: LiveServer, tmp_path: Path) -> None:
    with Room("kept", own_server.url, "ada") as room:
        room.extend([Atoms("OH2")] * 200)
    file = tmp_path / "dump.sql.gz"
    workroom("db", "dump", file, "--data", own_server.data)
    assert "exists already" in workroom("db", "dump", file, "--data", own_server.data, code=1).stderr
    missing = workroom("db", "dump", tmp_path / "none" / "dump.gz", "--data", own_server.data, code=1)
    assert "cannot be written" in missing.stderr
    url = running_url(own_server.data)
    assert url is not None
    own_server.stop()
    with throw_away_folder() as folder, EmbeddedPostgres(folder / "data") as empty:
        half, foreign, broken = tmp_path / "half.gz", tmp_path / "foreign.gz", tmp_path / "broken.gz"
        half.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
        foreign.write_bytes(gzip.compress(b"SELECT 1;"))
        broken.write_bytes(gzip.compress(gzip.decompress(file.read_bytes()) + b"\nSELECT * FROM nowhere;\n"))
        for damaged, message in (
            (half, "is damaged"),
            (foreign, "is not a dump"),
            (broken, 'relation "nowhere" does not exist'),
            (tmp_path / "none.gz", "There is no file"),
        ):
            assert message in workroom("db", "restore", damaged, "--database", empty.url, code=1).stderr
            assert checksums(empty.url) == {}
        assert "nothing to dump" in workroom("db", "dump", tmp_path / "new", "--database", empty.url, code=1).stderr
    assert not list(tmp_path.glob(".*unfinished"))
