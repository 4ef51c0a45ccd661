"""Files, there and back, through a real server and a worker that opens them."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Generator
from itertools import count
from pathlib import Path
from typing import Any

import httpx2
import numpy as np
import pytest
from tests.acceptance.live import LiveServer, Someone
from tests.structures import Atoms, bulk

from workroom import BadInput, JobFailed, NotFound, Room
from workroom.atoms.files import read_frames, write_frames
from workroom.atoms.files.import_job import Open
from workroom.atoms.selection_and_results import Structure

_numbers = count(1)


@pytest.fixture
def room(server: LiveServer) -> Generator[Room]:
    """A room with somebody who opens files in it."""
    with Room(f"files-{next(_numbers)}", server.url, "ada") as made:
        made.register_extension(Open)
        yield made


def trajectory(length: int) -> list[Structure]:
    frames = [bulk("Cu", cubic=True) for _ in range(length)]
    for index, frame in enumerate(frames):
        frame.rattle(0.05, seed=index)
        frame.info["time"] = float(index)
    return frames


def uploads(server: LiveServer) -> list[Path]:
    return [file for file in (server.data / "uploads").rglob("*") if file.is_file()]


def nothing_is_left(server: LiveServer) -> None:
    """The server removes an upload when it hears of its job's end, which a client may hear of first."""
    give_up_at = time.monotonic() + 5
    while uploads(server) and time.monotonic() < give_up_at:
        time.sleep(0.01)
    assert uploads(server) == []


def test_an_uploaded_file_is_opened_by_a_job(server: LiveServer, room: Room, tmp_path: Path) -> None:
    frames = trajectory(50)
    write_frames(frames, tmp_path / "cu.extxyz")
    room.append(Atoms("H"))
    handle = room.upload(tmp_path / "cu.extxyz")
    assert handle.result(20) == {"frames": 50}
    assert len(room) == 51 and np.allclose(room[50].positions, frames[49].positions, atol=1e-7)
    assert handle.refresh().progress is not None
    nothing_is_left(server)


def test_a_form_will_do_as_well_and_the_name_tells_the_format(server: LiveServer, room: Room, tmp_path: Path) -> None:
    write_frames(trajectory(3), tmp_path / "x.h5md")
    token = room.portal.call(room.inner.access.tokens.token())
    with httpx2.Client(base_url=server.url, headers={"Authorization": f"Bearer {token}"}, trust_env=False) as http:
        form = {"file": ("../../etc/x.h5", (tmp_path / "x.h5md").read_bytes())}
        answer = http.post(f"/api/rooms/{room.name}/files", files=form)
        assert answer.status_code == 202, answer.text
        handle = room.jobs[answer.json()["jobId"]]
        assert handle.result(20) == {"frames": 3}
        assert handle.refresh().data["name"] == "x.h5"
        fetched = http.get(f"/api/rooms/{room.name}/files/{handle.refresh().data['upload']}")
        assert (fetched.status_code, fetched.json()["code"]) == (403, "forbidden")
    nothing_is_left(server)


def test_a_broken_file_says_where_and_leaves_nothing(server: LiveServer, room: Room, tmp_path: Path) -> None:
    file = tmp_path / "broken.xyz"
    write_frames(trajectory(200), file, format="extxyz")
    with file.open("a") as more:
        more.write("4\nthe last frame\nCu 0 0 0\n")
    with pytest.raises(JobFailed, match="beyond frame 199: line 1201: the frame has 4 atoms") as caught:
        room.upload(file).result(20)
    assert "/" not in str(caught.value).partition("\n")[0]  # neither the spool's place nor the worker's
    assert len(room) == 0
    nothing_is_left(server)


def test_without_anybody_to_open_it_nothing_is_taken_in(server: LiveServer, tmp_path: Path) -> None:
    write_frames(trajectory(1), tmp_path / "a.xyz")
    with Room(f"files-{next(_numbers)}", server.url, "ada") as lonely:
        answer = lonely.portal.call(_send_once(lonely, (tmp_path / "a.xyz").read_bytes()))
    assert answer.status_code in (202, 404)  # 202 when a pool runs beside the server
    if answer.status_code == 404:
        assert "--pool" in answer.json()["detail"] and uploads(server) == []


async def _send_once(room: Room, content: bytes) -> httpx2.Response:
    token = await room.inner.access.tokens.token()
    headers = {"Authorization": f"Bearer {token}"}
    return await room.inner.access.http.post(f"/api/rooms/{room.name}/files", content=content, headers=headers)


async def test_an_upload_that_breaks_off_leaves_nothing(server: LiveServer, room: Room, ada: Someone) -> None:
    head = (
        f"POST /api/rooms/{room.name}/files?name=a.xyz HTTP/1.1\r\nHost: localhost\r\n"
        f"Authorization: Bearer {ada.token}\r\nContent-Type: application/octet-stream\r\n"
        f"Content-Length: 10000000\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", server.port)) as line:
        line.sendall(head.encode() + b"x" * 3_000_000)
        give_up_at = time.monotonic() + 5
        while not uploads(server) and time.monotonic() < give_up_at:
            time.sleep(0.01)  # noqa: ASYNC251 - nothing else runs here
        assert len(uploads(server)) == 1
    nothing_is_left(server)
    assert len(room) == 0


@pytest.mark.parametrize("format", ["extxyz", "h5md"])
def test_frames_are_downloaded_as_any_slice_of_any_selection(room: Room, tmp_path: Path, format: str) -> None:
    frames = trajectory(10)
    room.extend(frames)
    room.selection = [0, 3]
    chosen = "particles" if format == "h5md" else room.selection
    file = room.download(tmp_path / f"some.{format}", start=1, stop=-1, step=3, selection=chosen)
    back = list(read_frames(file))
    assert [atoms.info["time"] for atoms in back] == [1.0, 4.0, 7.0]
    assert all(len(atoms) == 2 for atoms in back)
    assert back[2].get_distance(0, 1) == pytest.approx(frames[7].get_distance(0, 3), abs=2e-3)


def test_what_cannot_be_downloaded_says_so_and_leaves_nothing(room: Room, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no frames to download"):
        room.download(tmp_path / "a.xyz")
    room.append(Atoms("H2", [[0, 0, 0], [0, 0, 1]], cell=[3, 3, 0]))
    with pytest.raises(BadInput, match="Frame 0 cannot be written as cif"):
        room.download(tmp_path / "a.cif")
    with pytest.raises(BadInput, match="Atom 5 is selected"):
        room.download(tmp_path / "a.h5md", selection=[5])
    with pytest.raises(NotFound, match="no selection 'pocket'"):
        room.download(tmp_path / "a.h5md", selection="pocket")
    with pytest.raises(BadInput, match="There is no file"):
        room.upload(tmp_path / "a.xyz")
    assert list(tmp_path.iterdir()) == []


def opened_by_command(server: LiveServer, folder: Path, *files: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "workroom.cli", *files, "--url", server.url, "--user", "bob"]
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False)


def test_the_command_opens_files_in_a_room_called_like_the_first(server: LiveServer, tmp_path: Path) -> None:
    name = f"copper-{next(_numbers)}"
    write_frames(trajectory(4), tmp_path / f"{name}.extxyz")
    write_frames(trajectory(2), tmp_path / "more.h5md")
    files = [f"{name}.extxyz", "more.h5md"]
    ended = opened_by_command(server, tmp_path, *files)
    assert ended.returncode == 0, ended.stderr
    assert f"{name}.extxyz: 4 frames\nmore.h5md: 2 frames\nOpened in {server.url}/rooms/{name}\n" == ended.stdout
    with Room(name, server.url, "ada", create=False) as opened:
        assert len(opened) == 6
    (tmp_path / "bad.xyz").write_text("nonsense\n")
    ended = opened_by_command(server, tmp_path, "bad.xyz")
    assert ended.returncode == 1 and "bad.xyz cannot be read as extxyz" in ended.stderr.replace("\n", " ")


@pytest.mark.slow
def test_the_servers_own_pool_opens_relaxes_and_measures(tmp_path: Path) -> None:
    write_frames(trajectory(3), tmp_path / "cu.traj")
    live = LiveServer(WORKROOM_POOL="1").start()
    try:
        with Room("pool", live.url, "ada") as room:
            # At once, though the pool has hardly begun to start: the upload waits for it.
            assert room.upload(tmp_path / "cu.traj", name="renamed", format="traj").result(60) == {"frames": 3}
            assert room.run("modifiers/Relax", fmax=0.01).result(60)["converged"]
            relaxed: Any = room[-1]
            assert np.linalg.norm(relaxed.get_forces(), axis=1).max() <= 0.01
            peaks = room.run("analysis/RDF", cutoff=3.0).result(60)["highest"]
            assert peaks["all-all"] == pytest.approx(3.61 / np.sqrt(2), abs=0.3)
            nothing_is_left(live)
    finally:
        live.remove()
