"""A guest uploads files that name other files: nothing of them comes back, by the list of formats or by confinement."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import AsyncGenerator, Generator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from tests.acceptance.live import ADMIN_PASSWORD, PROGRAM, LiveServer, Someone
from tests.canary_files import MARKS, CanaryFile, canary_files, write_canary, write_hdf5_canary

from workroom import Room
from workroom.confinement import landlock
from workroom.store.embedded import running_url

CANARY_NAME = "canary"
pytestmark = pytest.mark.skipif(landlock.abi() == 0, reason="the kernel has no Landlock")
# The secrets that a server keeps in files and variables.
SECRETS = (*MARKS, b"CANARY-in-the-environment", ADMIN_PASSWORD.encode())


@pytest.fixture(scope="module")
def guarded() -> Generator[LiveServer]:
    """A server with its own pool, as people run it, with canaries in its data folder and in its environment."""
    live = LiveServer(
        WORKROOM_POOL="2",
        WORKROOM_POOL_MODULES="workroom.atoms,tests.acceptance.curious",
        WORKROOM_CANARY="CANARY-in-the-environment",
        PYTHONPATH=str(Path(__file__).parents[3]),
    )
    live.program = PROGRAM  # its environment is seen in /proc
    live.start()
    write_canary(live.data / CANARY_NAME)
    give_up_at = time.monotonic() + 90
    while "built-in pool registered" not in live.log():
        assert time.monotonic() < give_up_at, live.log()
        time.sleep(0.05)
    yield live
    live.remove()


@pytest.fixture
async def guest(guarded: LiveServer) -> AsyncGenerator[Someone]:
    someone = await Someone.signs_in(guarded, "mallory")
    yield someone
    await someone.close()


async def everything_about(guest: Someone, room: str, uploads: list[CanaryFile]) -> bytes:
    """Upload them all; then all that the guest can get of the jobs and the room."""
    seen = b""
    jobs: list[str] = []
    for upload in uploads:
        params = {"name": upload.name} | ({"format": upload.format} if upload.format else {})
        answer = await guest.http.post(f"/api/rooms/{room}/files", content=upload.content, params=params)
        seen += answer.content
        if answer.status_code == 202:
            jobs.append(answer.json()["jobId"])
    assert len(jobs) == len(uploads)
    for job in jobs:
        await guest.sees(job, "completed", "failed", within=90)
        for path in (f"/api/jobs/{job}", f"/api/jobs/{job}/logs"):
            seen += (await guest.http.get(path)).content
    for path in ("chat", "frames"):
        seen += (await guest.http.get(f"/api/rooms/{room}/{path}")).content
    return seen


@pytest.mark.parametrize("selection", ["formats that include files", pytest.param("all", marks=pytest.mark.full)])
async def test_a_guest_gets_no_byte_of_the_servers_files_by_uploads(
    guarded: LiveServer, guest: Someone, tmp_path: Path, selection: str
) -> None:
    room = await guest.makes_room(f"hostile-{selection[:3]}")
    secret_key = guarded.data / "secret-key"
    environ = Path(f"/proc/{guarded.pid}/environ")
    uploads = [
        upload
        for canary in (guarded.data / CANARY_NAME, secret_key, environ, Path("/proc/self/environ"))
        for upload in canary_files(canary, tmp_path)
        if selection == "all" or (upload.format in _WITH_INCLUDES and upload.attempt != "a path alone")
    ]
    seen = await everything_about(guest, room, uploads)
    secrets = (*SECRETS, secret_key.read_bytes().strip())
    assert not [secret for secret in secrets if secret in seen]
    log = guarded.log().encode()
    assert not [secret for secret in secrets if secret in log]


# The others are read in the unit tests, all of them by the same readers.
_WITH_INCLUDES = {None, "acemolecule-input", "octopus-in", "onetep-in", "vasp-xml", "h5md"}


async def test_by_confinement_alone_jobs_of_the_pool_reach_nothing_but_their_server(
    guarded: LiveServer, guest: Someone, tmp_path: Path
) -> None:
    """An extension that opens what it is told to, and repeats every word, like a reader without any list."""
    await guest.makes_room("curious")
    folder = Path(write_hdf5_canary(tmp_path / "other.h5")).parent
    database = await asyncio.to_thread(running_url, guarded.data)
    assert database is not None
    with socket.create_server(("127.0.0.1", 0)) as elsewhere:
        paths = [
            str(guarded.data / CANARY_NAME),
            str(guarded.data / "secret-key"),
            str(Path.home()),
            str(folder / "other.h5"),
            f"/proc/{guarded.pid}/environ",
            f"/proc/{guarded.pid}/mem",
            "/proc/self/environ",
            "/etc/passwd",
        ]
        addresses: list[Any] = [[*elsewhere.getsockname()], [*_address(guarded)], _socket_of(database)]
        job = await guest.submits("curious", "Curious", {"paths": paths, "addresses": addresses}, category="curious")
        result = (await guest.sees(job["jobId"], "completed", "failed", within=60))["result"]
    opened = dict(zip(paths, result["paths"], strict=True))
    assert set(opened.values()) == {"PermissionError"}, opened
    assert result["addresses"] == ["PermissionError"] * 3
    # Yet it reached its room: over a connection that its parent opened.
    assert result["frames"] == 1 and result["live"] == "joined"


def _address(server: LiveServer) -> tuple[str, int]:
    parts = urlsplit(server.url)
    return parts.hostname or "", parts.port or 0


def _socket_of(database: str) -> str:
    from psycopg.conninfo import conninfo_to_dict

    told = conninfo_to_dict(database)
    return f"{told['host']}/.s.PGSQL.{told.get('port', 5432)}"


async def test_a_download_is_written_by_a_confined_process(guarded: LiveServer, guest: Someone, tmp_path: Path) -> None:
    room = await guest.makes_room("downloads")

    def grown() -> None:
        from tests.structures import bulk

        with Room(room, guarded.url, "mallory") as opened:
            opened.extend([bulk("Cu", cubic=True)] * 3)

    await asyncio.to_thread(grown)
    for wanted in ("extxyz", "traj", "h5md"):
        answer = await guest.http.get(f"/api/rooms/{room}/files", params={"format": wanted})
        assert answer.status_code == 200 and len(answer.content) > 100, answer.text
