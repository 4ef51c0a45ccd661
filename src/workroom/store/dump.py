"""Dump a database to a file, and restore it into an empty one: the same or another PostgreSQL, embedded or not.

The file is a gzipped SQL script of `pg_dump`, which reads one snapshot: a server may run meanwhile. A restore is one
transaction, which only the last line of the script commits: an interrupted restore changes nothing. The programs come
with the embedded PostgreSQL, and work with the older versions that Workroom supports.
"""

from __future__ import annotations

import gzip
import os
import subprocess
import tempfile
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from psycopg import pq

from workroom.domain.errors import BadInput, Conflict, DatabaseError
from workroom.store.connect import connect, redacted
from workroom.store.embedded.binaries import find_binaries
from workroom.store.leadership import ServerLock
from workroom.store.migrate import digests, head, revision, upgrade

# Told the bytes of the file that were written or read so far.
Progress = Callable[[int], None]

_POLL_SECONDS = 0.2
_PIECE = 1 << 20
# Set at the head of a script, and unknown to PostgreSQL 15 and 16.
_NEWER_SETTING = b"SET transaction_timeout = 0;\n"
_NOT_EMPTY = "SELECT EXISTS (SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace)"
# Before the commit of a restore: a schema that this program would refuse does not replace one that it can use.
_REQUIRE_KNOWN_MIGRATIONS = """
DO $$
BEGIN
    IF to_regclass('public.applied_migration') IS NULL
       OR EXISTS (SELECT FROM public.applied_migration JOIN (VALUES {known}) AS known (file, digest) USING (file)
                  WHERE applied_migration.digest <> known.digest) THEN
        RAISE EXCEPTION 'The dump is of an unreleased version with another schema: only that version restores it.';
    END IF;
    IF (SELECT version_num::integer FROM public.alembic_version) > {head} THEN
        RAISE EXCEPTION 'The dump is of a newer version of Workroom, with schema %: upgrade this program, which knows '
                        'only up to {head:04}.', (SELECT version_num FROM public.alembic_version);
    END IF;
END $$;
"""
_EMPTY_SCHEMA = b"DROP SCHEMA public CASCADE; CREATE SCHEMA public;\n"


def dump(url: str, file: Path, progress: Progress) -> int:
    """Write all data of the database to a file that does not exist yet. Returns its size."""
    if revision(url) is None:
        raise BadInput(f"The database {redacted(url)} is empty: there is nothing to dump.")
    if file.exists():
        raise Conflict(f"{file} exists already. Choose another file, or remove it.")
    unfinished = file.with_name(f".{file.name}.unfinished")
    try:
        unfinished.touch(mode=0o600)  # it has the hashes of all passwords
        command = ["pg_dump", "--no-owner", "--no-privileges", "--compress=gzip", f"--file={unfinished}"]
        with _running(command, url) as process:
            while process.poll() is None:
                progress(unfinished.stat().st_size)
                time.sleep(_POLL_SECONDS)
        unfinished.rename(file)
    except OSError as error:
        raise BadInput(f"{file} cannot be written: {error.strerror}.") from error
    finally:
        unfinished.unlink(missing_ok=True)
    return file.stat().st_size


def restore(url: str, file: Path, progress: Progress, *, replace: bool = False) -> None:
    """Fill an empty database from a file, and upgrade its schema. With `replace`, what it has is deleted first.

    Nothing is changed if anything fails, or if a server uses the database.
    """
    with _opened(file) as (raw, script):
        lock = ServerLock(url)
        lock.acquire()
        try:
            with connect(url) as connection:
                used = connection.execute(_NOT_EMPTY).fetchone()
            if used == (True,) and not replace:
                raise Conflict(
                    f"The database {redacted(url)} is not empty. Restore into an empty one, or give --replace to "
                    f"delete everything in it."
                )
            command = ["psql", "--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1"]
            with _running(command, url, stdin=subprocess.PIPE) as process:
                assert process.stdin is not None
                try:
                    process.stdin.write(b"BEGIN;\n")
                    if used == (True,):
                        process.stdin.write(_EMPTY_SCHEMA)
                    for piece in _script(script):
                        process.stdin.write(piece)
                        progress(raw.tell())
                    process.stdin.write(_require_known_migrations() + b"COMMIT;\n")
                    process.stdin.close()
                except BrokenPipeError:  # psql has ended; its error output has the reason
                    process.wait()
        finally:
            lock.release()
    upgrade(url)


def _require_known_migrations() -> bytes:
    known = ", ".join(f"('{file}', '{digest}')" for file, digest in digests().items())
    return _REQUIRE_KNOWN_MIGRATIONS.format(known=known, head=int(head())).encode()


def _script(script: gzip.GzipFile) -> Iterator[bytes]:
    """The script without the setting that older versions do not know, which stands before all data."""
    for line in script:
        if line == _NEWER_SETTING:
            break
        yield line
        if line.startswith(b"COPY "):
            break
    while piece := script.read(_PIECE):
        yield piece


@contextmanager
def _opened(file: Path) -> Generator[tuple[IO[bytes], gzip.GzipFile]]:
    try:
        with file.open("rb") as raw, gzip.GzipFile(fileobj=raw) as script:
            if not script.read(200).lstrip(b"-\n ").startswith(b"PostgreSQL database dump"):
                raise BadInput(f"{file} is not a dump of `workroom db dump`.")
            script.seek(0)
            yield raw, script
    except FileNotFoundError as error:
        raise BadInput(f"There is no file {file}.") from error
    except (gzip.BadGzipFile, EOFError, IsADirectoryError) as error:
        raise BadInput(f"{file} is damaged, or not a dump of `workroom db dump`. Nothing was changed.") from error


@contextmanager
def _running(command: list[str], url: str, stdin: int = subprocess.DEVNULL) -> Generator[subprocess.Popen[bytes]]:
    """A program of PostgreSQL. DatabaseError with its error output, if it fails; it is stopped if the block fails."""
    program = find_binaries().program(command[0])
    with (
        tempfile.TemporaryFile() as errors,
        subprocess.Popen(  # noqa: S603 - a program of the embedded PostgreSQL
            [program, *command[1:]], env=_environment(url), stdin=stdin, stdout=subprocess.DEVNULL, stderr=errors
        ) as process,
    ):
        try:
            yield process
        except BaseException:
            process.kill()
            raise
        if process.wait() != 0:
            errors.seek(0)
            message = errors.read(10_000).decode(errors="replace").strip()
            raise DatabaseError(f"{command[0]} failed for {redacted(url)}: {message}")


def _environment(url: str) -> dict[str, str]:
    """The connection in the environment: other users can read the arguments of a program."""
    options = {
        option.envvar.decode(): option.val.decode()
        for option in pq.Conninfo.parse(url.encode())
        if option.val is not None and option.envvar is not None
    }
    return {name: value for name, value in os.environ.items() if not name.startswith("PG")} | options
