"""Wrong input to every kind of command: a message that names the fix, an exit code, and never a traceback."""

from __future__ import annotations

from collections.abc import Generator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from tests.acceptance.live import LiveServer
from tests.structures import ase_write, molecule
from typer.testing import CliRunner

import workroom
from workroom import Room
from workroom.cli import app
from workroom.domain.errors import BadInput
from workroom.store.embedded import running_url
from workroom.worker.postings import http_backend

DEAD = "http://127.0.0.1:9"
FILES = {
    "broken.xyz": "1\n\nH 0 0 0\n2\n\nH 0 0 0\n",
    "empty.xyz": "",
    "notes.docx": "no structure",
    "calls.jsonl": "[1]\n[2\n",
    "good.jsonl": "[1]\n",
    "calls.csv": "n,m\n1\n",
    "long.csv": f"n\n{'x' * 140_000}\n",
    "object.json": '{"n": 1}',
    "extension.py": "from workroom import Category, Extension\n\nclass One(Extension):\n"
    "    category = Category.MODIFIER\n\n    def run(self, vis, **kwargs): ...\n",
    "tasks.py": "from workroom import job\n\n@job(name='wrong_input')\ndef one(n): ...\n\ndef plain(): ...\n",
    "syntax.py": "def broken(:\n",
    "imports.py": "import no_such_package_at_all\n",
    "dump.sql.gz": "no dump",
    "bad.toml": "keepdays = 3\n",
    "worse.toml": "port = = 3\n",
}
# What is typed, the exit code, and what the message says. {dir} is a folder with FILES, {url} a live server.
WRONG: list[tuple[str, int, str]] = [
    # commands and options
    ("wrokers", 2, "Did you mean workers"),
    ("rooms lst", 2, "Did you mean"),
    ("rooms list --lmit 3", 2, "--limit"),
    ("rooms list -n 0", 2, "greater than or equal to 1"),
    ("rooms list -n many", 2, "integer"),
    ("rooms show", 2, "ROOM"),
    ("rooms set any --visibility hidden", 2, "private"),
    # the server and the login
    ("rooms list --url " + DEAD, 1, f"No server answers at {DEAD}"),
    ("rooms list --url {url}/nonsense", 1, "There is no Workroom server at"),
    ("rooms list --url nonsense", 1, "http://"),
    ("rooms list --url ftp://host", 1, "begins with http://"),
    ("rooms list --url http://[::1", 1, "http://HOST:PORT"),
    ("rooms list --url http://localhost:99999", 1, "http://HOST:PORT"),
    ("rooms list --url http://localhost:abc", 1, "http://HOST:PORT"),
    ("rooms list --url http://:8686", 1, "it has no host"),
    ("rooms list --url http://a|b", 1, "it has no host"),
    ("login --url http://localhost:99999 --user ada --password x", 1, "http://HOST:PORT"),
    ("rooms list --url {other}", 1, "There is no Workroom server at"),
    ("whoami --url {other} --user ada --password x", 1, "There is no Workroom server at"),
    ("login --url {other} --user ada --password x", 1, "There is no Workroom server at"),
    ("rooms download any {dir}/a.xyz --url {other}", 1, "There is no Workroom server at"),
    ("worker {dir}/extension.py --url {other} --room any", 1, "There is no Workroom server at"),
    ("post {dir}/tasks.py:one {dir}/good.jsonl --url {other}", 1, "There is no Workroom server at"),
    ("post {dir}/tasks.py:one {dir}/good.jsonl --url " + DEAD, 1, f"No server answers at {DEAD}"),
    ("worker {dir}/tasks.py --url " + DEAD, 1, f"No server answers at {DEAD}"),
    ("profiles top --url " + DEAD, 1, f"No server answers at {DEAD}"),
    ("whoami --token nonsense", 1, "token"),
    ("whoami --user admin --password wrong --token x", 1, "not both"),
    ("login --url {url} --user admin --password wrong", 1, "wrong"),
    ("logout --url " + DEAD, 1, "No login is kept"),
    # rooms
    ("rooms show no-such-room", 1, "There is no such room"),
    ("rooms create --private -- -x", 1, "no room name"),
    ("rooms create room/with/slash", 1, "no room name"),
    ("rooms create taken-room", 1, "Choose another"),
    ("rooms set taken-room", 1, "--description"),
    ("rooms delete taken-room", 1, "--yes"),
    ("rooms duplicate taken-room taken-room", 1, "There is a room 'taken-room' already"),
    ("rooms download taken-room {dir}/a.xyz", 1, "no frames"),
    ("rooms download no-such-room {dir}/a.xyz", 1, "There is no such room"),
    ("rooms download taken-room {dir}/a.docx", 1, "extxyz"),
    # names that would be another path, also one of a room that exists
    ("rooms delete taken-room#old --yes", 1, "no room name"),
    ("rooms delete taken-room?x=1 --yes", 1, "no room name"),
    ("rooms delete a/../taken-room --yes", 1, "no room name"),
    ("rooms show taken-room/chat", 1, "no room name"),
    ("rooms lock taken-room#old", 1, "no room name"),
    ("rooms remove-extension taken-room modifiers/Relax/submit", 1, "no extension name"),
    ("jobs list --room taken-room?limit=1", 1, "no room name"),
    ("workers list --room taken-room#old", 1, "no room name"),
    ("run taken-room#old modifiers/Relax", 1, "no room name"),
    ("run taken-room modifiers/../x", 1, "no extension name"),
    ("admin quotas taken-room?x=1 --room", 1, "no room name"),
    ("token revoke ../methods", 1, "no token name"),
    ("profiles top a/../b --url {url}", 1, "no extension name"),
    # files
    ("{dir}/missing.xyz", 1, "There is no file"),
    ("{dir}/broken.xyz", 1, "too early"),
    ("{dir}/empty.xyz", 1, "empty.xyz"),
    ("{dir}/notes.docx", 1, "--format"),
    ("{dir}", 1, "There is no file"),
    ("open {dir}/water.xyz --room bad/name", 1, "no room name"),
    ("open {dir}/water.xyz --format nonsense", 1, "nonsense"),
    # running and posting
    ("run taken-room Relax", 1, "write CATEGORY/NAME"),
    ("run taken-room modifiers/Relax n", 1, "write NAME=VALUE"),
    ("run taken-room modifiers/Nothing", 1, "no extension modifiers/Nothing"),
    ("run taken-room modifiers/Relax --priority 11", 2, "less than or equal to 10"),
    ("post tasks {dir}/good.jsonl", 1, "write MODULE:FUNCTION"),
    ("post no_such_module:f {dir}/good.jsonl", 1, "There is no module"),
    ("post {dir}/missing.py:one {dir}/good.jsonl", 1, "There is no file"),
    ("post {dir}/tasks.py:two {dir}/good.jsonl", 1, "has no function 'two'"),
    ("post {dir}/tasks.py:plain {dir}/good.jsonl", 1, "write @job()"),
    ("post {dir}/tasks.py:one {dir}/calls.jsonl", 1, "Line 2 is not valid JSON"),
    ("post {dir}/tasks.py:one {dir}/calls.csv", 1, "number of columns"),
    ("post {dir}/tasks.py:one {dir}/long.csv", 1, "long.csv, after row 1: field larger than field limit"),
    ("post {dir}/tasks.py:one {dir}/latin.csv", 1, "latin.csv, row 5002, is not UTF-8"),
    ("post {dir}/tasks.py:one {dir}/object.json", 1, "not a list"),
    ("post {dir}/tasks.py:one {dir}/missing.json", 1, "There is no file"),
    ("post {dir}/tasks.py:one {dir}/notes.docx", 1, "--format json, jsonl or csv"),
    ("post {dir}/tasks.py:one {dir}/good.jsonl --after 123", 1, "'123' is not the id of a posting"),
    ("post {dir}/tasks.py:one {dir}/good.jsonl --at tomorrow", 2, "--at"),
    ("post {dir}/tasks.py:one {dir}/good.jsonl --tries 0", 2, "greater than or equal to 1"),
    # workers and pools
    ("worker {dir}/missing.py", 1, "There is no file"),
    ("worker no_such_module_at_all", 1, "There is no module"),
    ("worker {dir}/syntax.py", 1, "line 1 def broken(:"),
    ("worker {dir}/imports.py", 1, "line 1, in <module> import no_such_package_at_all"),
    ("pool --import {dir}/imports.py --database {database}", 1, "No module named 'no_such_package_at_all'"),
    ("post {dir}/imports.py:one {dir}/good.jsonl", 1, "No module named 'no_such_package_at_all'"),
    ("pool", 1, "--import"),
    ("pool --import {dir}/missing.py --database {database}", 1, "There is no file"),
    ("pool --import {dir}/tasks.py --workers 0", 2, "greater than or equal to 1"),
    ("pool --built-in --confine maybe", 2, "required"),
    # ids
    ("jobs show nonsense", 1, "is not the id of a job"),
    ("jobs show 00000000-0000-7000-8000-000000000000", 1, "There is no"),
    ("jobs show ffff", 1, "None of the newest jobs"),
    ("jobs list --status sleeping", 1, "sleeping"),
    ("jobs list --room no-such-room", 1, "There is no such room"),
    ("postings show nonsense", 1, "is not the id of a posting"),
    ("postings cancel 00000000-0000-7000-8000-000000000000", 1, "There is no posting"),
    ("workers drain nonsense", 1, "is not the id of a worker"),
    ("workers show ffffffff", 1, "None of the newest workers"),
    # admins
    ("admin disable nobody-here", 1, "There is no account"),
    ("admin create -- -x", 1, "name"),
    ("admin create admin", 1, "There is an account 'admin' already"),
    ("admin delete admin --yes", 1, "admin"),
    ("admin set-quota admin bytes much", 1, "whole number"),
    ("admin set-quota admin nonsense 5", 1, "nonsense"),
    ("admin pause Relax", 1, "write CATEGORY/NAME"),
    ("admin pause modifiers/Nothing", 1, "no extension modifiers/Nothing"),
    # settings and the database
    ("serve --port 99999", 1, "port"),
    ("serve --port many", 2, "integer"),
    ("serve --log-level loud", 1, "log_level"),
    ("serve --redis nonsense", 1, "redis"),
    ("serve --data {dir}/tasks.py --port 0", 1, "tasks.py"),
    ("serve --host 203.0.113.7 --port 0 --data {dir}/data", 1, "Cannot listen on 203.0.113.7"),
    ("serve --port 0 --data {dir}/data --database postgresql://x@127.0.0.1:9/x", 1, "127.0.0.1:9"),
    ("db check --database postgresql://nobody@127.0.0.1:9/x", 1, "127.0.0.1"),
    ("db check --database mysql://x", 1, "postgresql://"),
    ("db restore {dir}/missing.sql.gz --database postgresql://nobody@127.0.0.1:9/x", 1, "missing.sql.gz"),
    # profiles
    ("profiles top --order nonsense", 2, "total"),
    ("profiles top nothing --url {url}", 1, "no such profiles"),
    ("profiles top --since yesterday --url {url}", 1, "is no time"),
    ("profiles diff f yesterday today --url {url}", 1, "is no side"),
    ("profiles export f --format docx", 2, "speedscope"),
]
CONFIG = [("bad.toml", "keepdays"), ("worse.toml", "worse.toml"), ("missing.toml", "missing.toml")]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("wrong")
    for name, content in FILES.items():
        (made / name).write_text(content)
    (made / "latin.csv").write_bytes(b"n\n" + b"1\n" * 5_000 + "Grün\n".encode("latin-1"))
    ase_write(made / "water.xyz", molecule("H2O"))
    return made


class _Page(BaseHTTPRequestHandler):
    """A program that answers everything with a page, as another server at a wrong port does."""

    def do_GET(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>Another program</title>")

    do_POST = do_PUT = do_DELETE = do_GET  # noqa: N815 - names of the library

    def log_message(self, format: str, *args: object) -> None: ...


@pytest.fixture(scope="module")
def other_program() -> Generator[str]:
    """The URL of a server that is not Workroom."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _Page) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def taken_room(server: LiveServer, admin_token: str) -> str:
    made = CliRunner().invoke(app, ["rooms", "create", "taken-room", "--url", server.url, "--token", admin_token])
    assert made.exit_code == 0, made.output
    return "taken-room"


@pytest.fixture(autouse=True)
def signed_in(
    server: LiveServer, admin_token: str, taken_room: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Generator[None]:
    for name in ("WORKROOM_DATABASE", "WORKROOM_DATA", "WORKROOM_CONFIG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("WORKROOM_URL", server.url)
    monkeypatch.setenv("WORKROOM_TOKEN", admin_token)
    monkeypatch.setenv("WORKROOM_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "200")
    http_backend.forget_logins()
    yield
    http_backend.forget_logins()


@pytest.mark.parametrize(("typed", "code", "message"), WRONG, ids=[typed for typed, _, _ in WRONG])
def test_wrong_input_is_told_with_the_fix(
    typed: str,
    code: int,
    message: str,
    folder: Path,
    server: LiveServer,
    other_program: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    names = {"dir": folder, "url": server.url, "database": running_url(server.data), "other": other_program}
    words = [word.format(**names) for word in typed.split()]
    if "--user" in words and "--token" not in words:
        monkeypatch.delenv("WORKROOM_TOKEN")
    result = CliRunner().invoke(app, words)
    told = " ".join(result.stderr.replace("│", " ").split())
    assert (result.exit_code, message in told) == (code, True), (result.output, result.exception)
    ours = str(Path(workroom.__file__).parent)
    assert f'File "{ours}' not in told, "lines of the program do not help the user"
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert told.startswith(("error: ", "Usage: ", "warning: ")), told


def test_a_name_with_a_path_in_it_names_no_other_room(server: LiveServer, admin_token: str, taken_room: str) -> None:
    for name in (f"{taken_room}#1", f"{taken_room}?x=1", f"a/../{taken_room}", f"{taken_room}/chat", ".."):
        with pytest.raises(BadInput, match="no room name"):
            Room(name, server.url, token=admin_token)
    with Room(taken_room, server.url, token=admin_token) as room:
        for target in ("a?b", "a#b", "50%"):
            with room.lock(target):
                pass


@pytest.mark.parametrize(("name", "message"), CONFIG)
def test_a_wrong_configuration_is_told(name: str, message: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORKROOM_CONFIG", str(folder / name))
    result = CliRunner().invoke(app, ["config", "show"])
    assert (result.exit_code, message in result.stderr) == (1, True), (result.output, result.exception)
    assert "Traceback" not in result.stderr
