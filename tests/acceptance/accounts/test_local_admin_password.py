"""The admin's password in the data folder is sent to the server of that folder, and to no other."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Generator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from tests.acceptance.live import ADMIN_PASSWORD, ROOT, LiveServer

import workroom
from workroom.client.discovery import this_machine
from workroom.domain.errors import NotSignedIn, ServerUnreachable

PASSWORD = "only-for-the-own-server"


@dataclass
class ForeignServer:
    """A server of somebody else, which notes all that it is sent."""

    url: str = ""
    received: list[bytes] = field(default_factory=list[bytes])


@pytest.fixture
def foreign() -> Generator[ForeignServer]:
    noted = ForeignServer()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            noted.received.append(self.rfile.read(int(self.headers.get("Content-Length", "0"))))
            self.send_response(401)
            self.end_headers()

        do_GET = do_POST  # noqa: N815 - the name that the library calls

        def log_message(self, format: str, *args: object) -> None:
            return None

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    noted.url = f"http://127.0.0.1:{server.server_port}"
    yield noted
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The data folder of a server that runs at another port of this machine."""
    (tmp_path / "admin-password").write_text(PASSWORD + "\n")
    (tmp_path / "server.json").write_text(
        json.dumps({"url": "http://127.0.0.1:9", "pid": os.getpid(), "machine": this_machine()})
    )
    monkeypatch.setenv("WORKROOM_DATA", str(tmp_path))
    for name in ("WORKROOM_URL", "WORKROOM_USER", "WORKROOM_PASSWORD", "WORKROOM_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


@pytest.mark.parametrize(
    "command",
    [
        ["worker", "tests/web/extensions.py", "--global"],
        ["worker", "tests/web/extensions.py", "--user", "admin"],
        ["pool", "--built-in", "--workers", "1"],
        ["rooms", "list", "--user", "admin"],
    ],
)
def test_a_command_does_not_send_it_to_a_foreign_server(foreign: ForeignServer, data: Path, command: list[str]) -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "workroom.cli", *command, "--url", foreign.url],
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=60,
        check=False,
    )
    assert not any(PASSWORD.encode() in body for body in foreign.received)
    assert ended.returncode == 1
    assert f"Give the password of admin at {foreign.url}" in ended.stderr
    assert "Traceback" not in ended.stderr and PASSWORD not in ended.stderr + ended.stdout


def test_a_room_does_not_send_it_to_a_foreign_server(foreign: ForeignServer, data: Path) -> None:
    with pytest.raises(NotSignedIn, match="WORKROOM_PASSWORD"):
        workroom.Room("lab", foreign.url, "admin")
    assert foreign.received == []


def test_the_own_server_gets_it_under_each_of_its_local_names(monkeypatch: pytest.MonkeyPatch) -> None:
    own = LiveServer()
    monkeypatch.setenv("WORKROOM_DATA", str(own.data))
    try:
        own.start(admin_password=None)
        for url in (None, own.url, f"http://localhost:{own.port}/"):
            with workroom.Room("lab", url, "admin") as room:
                assert room.portal.call(room.inner.access.get("/api/users/me"))["role"] == "admin"
    finally:
        own.remove()


def test_an_outdated_one_is_refused_and_no_command_runs_as_another_user(monkeypatch: pytest.MonkeyPatch) -> None:
    own = LiveServer()
    monkeypatch.setenv("WORKROOM_DATA", str(own.data))
    monkeypatch.delenv("WORKROOM_URL", raising=False)
    file = own.data / "admin-password"
    try:
        own.start()
        file.write_text("of an earlier time\n")
        file.chmod(0o600)
        for command in (["rooms", "list"], ["workers", "list"], ["rooms", "list", "--user", "admin"]):
            ended = subprocess.run(
                [sys.executable, "-m", "workroom.cli", *command],
                capture_output=True,
                text=True,
                timeout=60,
                check=False,
            )
            assert ended.returncode == 1, ended
            assert f"refuses the password in {file}" in ended.stderr and "workroom login" in ended.stderr
        with pytest.raises(NotSignedIn, match="was changed"):
            workroom.Room("lab", own.url, "admin")
        with workroom.Room("lab", own.url, "admin", ADMIN_PASSWORD) as room:
            people = room.portal.call(room.inner.access.get("/api/users"))["items"]
            assert [one["name"] for one in people] == ["admin"]
    finally:
        own.remove()


def test_a_server_that_does_not_answer_leaves_no_secret_of_a_guest_behind(
    foreign: ForeignServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    for url in ("http://127.0.0.1:9", foreign.url):
        with pytest.raises((ServerUnreachable, NotSignedIn)):
            workroom.Room("guests-meet", url, "grace")
    assert list(tmp_path.iterdir()) == []


def test_a_guest_of_the_python_client_stays_the_same_and_another_user_is_another_guest(
    server: LiveServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def signed_in() -> str:
        with workroom.Room("guests-meet", server.url, "grace") as room:
            return str(room.portal.call(room.inner.access.get("/api/users/me"))["name"])

    assert signed_in() == signed_in() == "grace"
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert signed_in() == "grace-2"
    assert (tmp_path / "workroom" / "guest-secret").stat().st_mode & 0o777 == 0o600
