"""The commands that talk to a server: what they print, what they answer programs, and how they end."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import AsyncGenerator, Generator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx2
import psycopg
import pytest
from tests.acceptance.live import ADMIN_PASSWORD, LiveServer, PlainWorker, Someone
from tests.acceptance.postings.test_postings_rest import acts, posts
from tests.acceptance.replicas.servers import Redis
from tests.acceptance.server.cli.commands import Command, told
from tests.posting_backend import close_backend
from typer.testing import CliRunner, Result

import workroom
from workroom import ClusterPool, Registry, __version__
from workroom.cli import app
from workroom.store.embedded import running_url


@pytest.fixture(scope="module")
def server() -> Generator[LiveServer]:
    """Commands run in this process. On a busy machine they keep its workers from answering for longer than usual."""
    live = LiveServer(WORKROOM_CONFIRM_SECONDS="60", WORKROOM_LEASE_SECONDS="60").start()
    yield live
    live.remove()


@pytest.fixture(scope="module")
def tasks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One file for all tests: a name stands for one function in a process."""
    file = tmp_path_factory.mktemp("tasks") / "cli_tasks.py"
    file.write_text(
        "from workroom import job\n\n"
        "@job(name='cli_square', tries=1)\ndef square(n, plus=0):\n    return n * n + plus\n\n"
        "def plain():\n    pass\n"
    )
    return file


FILES: list[tuple[str, str, list[Any]]] = [
    (
        "calls.jsonl",
        '[1]\n\n{"n": 2}\n{"args": [3], "kwargs": {"plus": 1}}\n4\n',
        [{"args": [1]}, {"args": [], "kwargs": {"n": 2}}, {"args": [3], "kwargs": {"plus": 1}}, {"args": [4]}],
    ),
    ("calls.json", '[[1, 2], {"n": 3}]', [{"args": [1, 2]}, {"args": [], "kwargs": {"n": 3}}]),
    (
        "large.jsonl",
        "[12345678901234567890123]\n[-9223372036854775808]\n",
        [{"args": [{"~": ["int", "12345678901234567890123"]}]}, {"args": [-(2**63)]}],
    ),
    (
        "large.csv",
        "n\n12345678901234567890123\n",
        [{"args": [], "kwargs": {"n": {"~": ["int", "12345678901234567890123"]}}}],
    ),
    (
        "calls.csv",
        'n,name,on\n1,ada,true\n2.5,"b, c",x\n',
        [
            {"args": [], "kwargs": {"n": 1, "name": "ada", "on": True}},
            {"args": [], "kwargs": {"n": 2.5, "name": "b, c", "on": "x"}},
        ],
    ),
]


@pytest.mark.parametrize(("name", "content", "expected"), FILES)
def test_calls_are_posted_from_a_file(
    run: Command, tasks: Path, tmp_path: Path, name: str, content: str, expected: list[Any]
) -> None:
    (tmp_path / name).write_text(content)
    posted = told(run("post", f"{tasks}:square", str(tmp_path / name), "--label", "from a file", "--json"))
    assert (posted["function"], posted["total"]) == ("cli_square", len(expected))
    jobs = told(run("jobs", "list", "--posting", posted["postingId"], "--json"))
    assert [job["data"] for job in jobs] == expected


def test_what_cannot_be_posted_is_told_with_the_fix(run: Command, tasks: Path, tmp_path: Path) -> None:
    calls = tmp_path / "calls.jsonl"
    calls.write_text("[1]\n[2\n")
    for words, message in (
        ((f"{tasks}:square", str(calls)), "Line 2 is not valid JSON: unexpected end of data, at column 3"),
        ((f"{tasks}:square", str(tmp_path / "calls.xml")), "--format json, jsonl or csv"),
        ((f"{tasks}:square", str(tmp_path / "none.json")), "There is no file"),
        ((f"{tasks}:plain", str(calls)), "write @job() above it"),
        ((f"{tasks}:nothing", str(calls)), "has no function 'nothing'. It registers:"),
        (("square", str(calls)), "write MODULE:FUNCTION"),
        (("no_such_module:square", str(calls)), "There is no module"),
    ):
        assert message in run("post", *words, code=1).stderr
    assert run("post", code=2).exit_code == 2
    calls.write_text("[1]\n")
    refused = run("post", f"{tasks}:square", str(calls), "--after", "123", code=1)
    assert "'123' is not the id of a posting" in refused.stderr
    nobody = run("post", f"{tasks}:square", str(calls), "--url", "http://127.0.0.1:9", code=1)
    assert nobody.stderr.startswith("error: No server answers at http://127.0.0.1:9")


def test_a_posting_waits_for_one_that_is_named_by_a_part_of_its_id_or_by_last(
    run: Command, server: LiveServer, tasks: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = running_url(server.data)
    assert url is not None

    def dependencies(*after: str) -> set[str]:
        posted = told(run("post", f"{tasks}:square", "-", "--json", *after, input="[1]\n"))["postingId"]
        (job,) = told(run("jobs", "list", "--posting", posted, "--url", server.url, "--json"))
        with psycopg.connect(url) as connection:
            needs = "SELECT coalesce(needs_posting, needs_job)::text FROM dependency WHERE job_id = %s"
            return {one for (one,) in connection.execute(needs, [job["jobId"]])}

    for place in ("server", "database"):
        if place == "database":
            monkeypatch.setenv("WORKROOM_DATABASE", url)
            monkeypatch.delenv("WORKROOM_URL")
        first = told(run("post", f"{tasks}:square", "-", "--json", input="[1]\n"))["postingId"]
        assert dependencies("--after", first[-12:]) == {first}
        newest = told(run("postings", "list", "--limit", "1", "--url", server.url, "--json"))[0]["postingId"]
        assert newest != first and dependencies("--after", "last", "--after", first) == {newest, first}
        nothing = run("post", f"{tasks}:square", "-", "--after", "ffffffff", code=1, input="[1]\n")
        assert "None of your newest postings and jobs has an id that begins or ends with 'ffffffff'" in nothing.stderr
    close_backend(url)


def test_a_time_without_a_zone_is_local_time(
    run: Command, server: LiveServer, tasks: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = running_url(server.data)
    assert url is not None

    def run_at(posting: object) -> datetime:
        with psycopg.connect(url) as connection:
            rows = connection.execute("SELECT run_at FROM job WHERE posting_id = %s", [str(posting)]).fetchall()
        return rows[0][0]

    monkeypatch.setenv("TZ", "Asia/Kathmandu")  # 5:45 ahead of UTC
    time.tzset()
    try:
        words = ("post", f"{tasks}:square", "-", "--json", "--at")
        for text in ("2099-12-01 08:00", "2099-12-01T08:00:00"):
            posted = told(run(*words, text, input="[1]\n"))["postingId"]
            assert run_at(posted) == datetime(2099, 12, 1, 2, 15, tzinfo=UTC)
        square = Registry["cli_square"]
        assert run_at(square.post_work([(1,)], run_at=datetime(2099, 12, 1, 8)).id) == datetime(
            2099, 12, 1, 2, 15, tzinfo=UTC
        )
        aware = datetime(2099, 12, 1, 8, tzinfo=UTC)
        assert run_at(square.post_work([(1,)], run_at=aware).id) == aware
    finally:
        monkeypatch.undo()
        time.tzset()


def test_standard_input_is_posted_and_the_key_makes_it_one(run: Command, tasks: Path) -> None:
    words = ("post", f"{tasks}:square", "-", "--unique", "from stdin", "--json")
    first = told(run(*words, input="[1]\n[2]\n"))
    assert first["total"] == 2
    assert told(run(*words, input="[1]\n[2]\n"))["postingId"] == first["postingId"]


@pytest.fixture
async def worker(ada: Someone, room: str) -> AsyncGenerator[PlainWorker]:
    worker = await PlainWorker.online(ada, room, "Relax")
    yield worker
    await worker.leaves()


async def _in_thread(run: Command, *words: str, **more: Any) -> Result:
    return await asyncio.to_thread(run, *words, **more)


async def test_postings_are_listed_shown_watched_and_moved(
    run: Command, ada: Someone, room: str, worker: PlainWorker
) -> None:
    sweep = await ada.http.post(
        f"/api/rooms/{room}/extensions/modifiers/Relax/sweep", json={"over": {"n": [1, 2]}, "label": "two"}
    )
    posting = sweep.json()
    posting_id = posting["postingId"]
    listed = await _in_thread(run, "postings", "list", "--room", room)
    assert listed.stdout.splitlines()[0].split("\t")[:4] == ["posting", "function", "status", "done"]
    assert listed.stdout.splitlines()[1].split("\t")[:4] == [posting_id, "Relax", "executing", "0/2"]
    assert [one["label"] for one in told(await _in_thread(run, "postings", "list", "--room", room, "--json"))] == [
        "two"
    ]
    assert told(await _in_thread(run, "postings", "pause", posting_id, "--json"))["status"] == "paused"
    assert "queued again: 1 job." in (await _in_thread(run, "postings", "resume", posting_id)).stdout
    watching = asyncio.create_task(_in_thread(run, "postings", "watch", posting_id, "--every", "0.1", code=1))
    await worker.runs(await worker.gets())
    job = await worker.gets()
    assert (await worker.says(job, "running"))["ok"]
    assert (await worker.says(job, "failed", error={"type": "ValueError", "message": "no"}))["ok"]
    assert "failed: 1 completed, 1 failed, 0 cancelled of 2" in (await watching).stdout
    shown = await _in_thread(run, "postings", "show", posting_id)
    assert "ValueError: no" in shown.stdout and "at workers" in shown.stdout
    again = told(await _in_thread(run, "postings", "retry", posting_id, "--json"))["posting"]
    assert again["total"] == 1
    assert told(await _in_thread(run, "postings", "cancel", again["postingId"], "--json"))["jobs"] in (0, 1)
    refused = await _in_thread(run, "postings", "resume", posting_id, code=1)
    assert refused.stderr == "error: The posting is failed: it cannot be executing any more.\n"
    assert "looks like 0192" in (await _in_thread(run, "postings", "show", "nonsense", code=1)).stderr


async def test_jobs_are_listed_shown_watched_followed_and_moved(
    run: Command, ada: Someone, room: str, worker: PlainWorker
) -> None:
    first, second = [(await ada.submits(room, "Relax", {"n": n}))["jobId"] for n in (1, 2)]
    waiting = await _in_thread(run, "jobs", "show", second)
    assert re.search(r"waiting for\s+all workers that offer Relax have other jobs first", waiting.stdout)
    following = asyncio.create_task(_in_thread(run, "jobs", "logs", "-f", first))
    job = await worker.gets()
    assert (await worker.says(job, "running"))["ok"]
    await worker.sio.call(
        "job:log", {"jobId": job["jobId"], "attempt": 1, "workerId": worker.id, "lines": ["one", "two"]}
    )
    assert (await worker.says(job, "completed"))["ok"]
    assert (await following).stdout.splitlines() == ["one", "two"]
    assert (await _in_thread(run, "jobs", "watch", first)).stdout.splitlines()[-1] == "completed"
    assert [line["text"] for line in map(json.loads, (await _logs(run, first)).splitlines())] == ["one", "two"]
    assert "asked to stop" in (await _in_thread(run, "jobs", "cancel", second)).stdout
    assert (await worker.says(await worker.gets(), "cancelled"))["ok"]
    await _in_thread(run, "jobs", "watch", second, code=1)
    again = told(await _in_thread(run, "jobs", "retry", first, "--json"))
    assert again["jobId"] != first
    assert told(await _in_thread(run, "jobs", "show", "last", "--json"))["jobId"] == again["jobId"]
    listed = told(await _in_thread(run, "jobs", "list", "--room", room, "--status", "completed", "--json"))
    assert [one["jobId"] for one in listed] == [first]
    assert len(told(await _in_thread(run, "jobs", "list", "--json"))) > 2


async def _logs(run: Command, job: str) -> str:
    return (await _in_thread(run, "jobs", "logs", job, "--json")).stdout


async def test_workers_are_listed_shown_drained_and_removed(
    run: Command, ada: Someone, room: str, worker: PlainWorker
) -> None:
    one, other = worker, await PlainWorker.online(ada, room, "Relax")
    listed = told(await _in_thread(run, "workers", "list", "--room", room, "--json"))
    assert {worker["id"] for worker in listed} == {one.id, other.id}
    shown = (await _in_thread(run, "workers", "show", one.id)).stdout
    assert "modifiers/Relax" in shown and "0 ended, 0 failed" in shown
    assert told(await _in_thread(run, "workers", "show", one.id[-12:], "--json"))["id"] == one.id
    assert "Give more of it" in (await _in_thread(run, "workers", "show", one.id[:4], code=1)).stderr
    assert "jobs/min" in (await _in_thread(run, "workers", "list")).stdout
    assert "The worker has ended" in (await _in_thread(run, "workers", "drain", one.id)).stdout
    assert "Removed" in (await _in_thread(run, "workers", "remove", other.id)).stdout
    assert told(await _in_thread(run, "workers", "show", other.id, "--json"))["goneReason"] == "removed"
    await other.leaves()


def test_rooms_are_made_shown_locked_copied_and_deleted(run: Command) -> None:
    assert "Created room cli-lab" in run("rooms", "create", "cli-lab", "--private", "--description", "a test").stdout
    assert "There is a room 'cli-lab' already" in run("rooms", "create", "cli-lab", code=1).stderr
    assert told(run("rooms", "lock", "cli-lab", "--json"))["locked"] is True
    assert told(run("rooms", "unlock", "cli-lab", "--json"))["locked"] is False
    changed = told(run("rooms", "set", "cli-lab", "--extensions-from", "users", "--visibility", "private", "--json"))
    assert (changed["extensionsFrom"], changed["description"]) == ("users", "a test")
    assert "--extensions-from" in run("rooms", "set", "cli-lab", code=1).stderr
    assert "members" in run("rooms", "set", "cli-lab", "--extensions-from", "everyone", code=2).stderr
    assert told(run("rooms", "duplicate", "cli-lab", "cli-copy", "--json"))["visibility"] == "private"
    assert [room["name"] for room in told(run("rooms", "list", "cli-", "--json"))] == ["cli-copy", "cli-lab"]
    assert "a test" in run("rooms", "show", "cli-lab").stdout
    assert "--yes" in run("rooms", "delete", "cli-lab", code=1).stderr
    run("rooms", "delete", "cli-lab", "--yes")
    assert "There is no such room" in run("rooms", "show", "cli-lab", code=1).stderr


async def test_admins_look_after_accounts(run: Command, server: LiveServer) -> None:
    bob = await Someone.signs_in(server, "cli-bob")
    await bob.close()
    assert (
        "Reset this account's password first" in (await _in_thread(run, "admin", "promote", "cli-bob", code=1)).stderr
    )
    password = told(await _in_thread(run, "admin", "reset-password", "cli-bob", "--json"))["password"]
    await (await Someone.signs_in(server, "cli-bob", password)).close()
    for act, change in (
        ("promote", {"role": "admin"}),
        ("demote", {"role": "user"}),
        ("disable", {"disabled": True}),
        ("enable", {"disabled": False}),
    ):
        answer = told(await _in_thread(run, "admin", act, "cli-bob", "--json"))
        assert answer | change == answer
    assert "--yes" in (await _in_thread(run, "admin", "delete", "cli-bob", code=1)).stderr
    await _in_thread(run, "admin", "delete", "cli-bob", "--yes")
    assert told(await _in_thread(run, "admin", "users", "cli-bob", "--json")) == []
    audit = told(await _in_thread(run, "admin", "audit", "--json"))
    assert {"account.promote", "account.demote", "account.reset", "account.delete"} <= {one["act"] for one in audit}
    assert "There is no account" in (await _in_thread(run, "admin", "disable", "cli-nobody", code=1)).stderr


async def test_an_extension_is_run_from_the_command_line(
    run: Command, ada: Someone, room: str, worker: PlainWorker
) -> None:
    assert "write CATEGORY/NAME" in (await _in_thread(run, "run", room, "Relax", code=1)).stderr
    assert "write NAME=VALUE" in (await _in_thread(run, "run", room, "modifiers/Relax", "n", code=1)).stderr
    words = ("run", room, "modifiers/Relax", "n=3", "factor=0.5", "--wait")
    running = asyncio.create_task(_in_thread(run, *words))
    job = await worker.gets()
    assert job["data"] == {"n": 3, "factor": 0.5}
    assert (await worker.says(job, "running"))["ok"]
    assert (await worker.says(job, "completed", result={"length": 2}))["ok"]
    assert (await running).stdout.splitlines()[-2:] == ["completed", '{"length":2}']


async def test_a_job_is_submitted_with_the_options_of_room_run(
    run: Command, ada: Someone, room: str, worker: PlainWorker
) -> None:
    words = ("run", room, "modifiers/Relax", "n=3", "--json")
    options = (
        "--tries",
        "4",
        "--at",
        "2040-07-01T12:00:00",
        "--unique",
        "only-once",
        "--scope",
        "room",
        "--priority",
        "7",
    )
    first = told(await _in_thread(run, *words, *options))
    assert told(await _in_thread(run, *words, *options))["jobId"] == first["jobId"]
    job = await ada.job(first["jobId"])
    assert (job["triesLeft"], job["priority"], job["runAt"][:4]) == (4, 7, "2040"), job
    second = told(await _in_thread(run, *words, "--after", first["jobId"][-8:]))
    assert second["status"] == "blocked"
    assert "There is no extension" in (await _in_thread(run, *words[:-1], "--scope", "nowhere", code=1)).stderr


async def test_a_posting_that_nobody_runs_says_what_it_waits_for(run: Command, ada: Someone) -> None:
    idle = (await posts(ada, f"idle-{ada.name}", [[1]]))["postingId"]
    listed = told(await _in_thread(run, "postings", "list", "--json"))
    assert {one["waitingFor"] for one in listed if one["postingId"] == idle} == {"no_worker"}
    shown = (await _in_thread(run, "postings", "show", "last")).stdout
    assert re.search(rf"waiting for\tno worker offers idle-{ada.name}: `workroom pool --import", shown)


async def test_admins_see_every_queue(run: Command, ada: Someone) -> None:
    name = f"queue-{ada.name}"
    await acts(ada, await posts(ada, name, [[1], [2]]), "pause")
    (queue,) = [one for one in told(await _in_thread(run, "admin", "queues", "--json")) if one["name"] == name]
    assert (queue["scope"], queue["pendingJobs"], queue["idleWorkers"]) == ("function", 2, 0)
    refused = await _in_thread(run, "admin", "queues", "--token", ada.token, code=1)
    assert "Only an admin" in refused.stderr


def test_a_wrong_password_is_never_ignored(run: Command, monkeypatch: pytest.MonkeyPatch, admin_token: str) -> None:
    made = ("rooms", "create", "cli-wrong")
    assert "not both" in run(*made, "--user", "admin", "--password", "wrong", code=1).stderr
    monkeypatch.delenv("WORKROOM_TOKEN")
    for more in (["--user", "admin"], []):
        refused = run(*made, *more, "--password", "wrong", code=1)
        assert refused.stderr == "error: The user or the password is wrong.\n"
    assert "expired or revoked" in run(*made, "--token", admin_token[:-4], code=1).stderr
    assert "There is no such room" in run("rooms", "show", "cli-wrong", "--token", admin_token, code=1).stderr


def test_a_login_is_kept_until_the_logout(
    run: Command, server: LiveServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    password = told(run("admin", "create", "cli-kept", "--json"))["password"]
    monkeypatch.delenv("WORKROOM_TOKEN")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert "wrong" in run("login", "--user", "cli-kept", input="guessed\n", code=1).stderr
    assert told(run("login", "--user", "cli-kept", "--json", input=f"{password}\n"))["role"] == "user"
    file = tmp_path / "workroom" / "logins.json"
    assert file.stat().st_mode & 0o777 == 0o600 and password not in file.read_text()
    monkeypatch.delenv("WORKROOM_URL")
    monkeypatch.setenv("WORKROOM_DATA", str(tmp_path))  # no server of this machine: that of the login is meant
    assert told(run("whoami", "--json"))["name"] == "cli-kept"
    made = run("token", "create", "script", "--scope", "read", "--expires", "90d").stdout.strip()
    assert told(run("whoami", "--json", "--token", made))["name"] == "cli-kept"
    with workroom.Room("cli-kept-room") as room:
        assert room.portal.call(room.inner.access.get("/api/users/me"))["name"] == "cli-kept"
    saved = json.loads(file.read_text())["logins"][0]["token"]
    run("logout", "--everywhere")
    assert "No server runs on this machine" in run("whoami", code=1).stderr
    assert "expired or revoked" in run("whoami", "--url", server.url, "--token", saved, code=1).stderr
    with httpx2.Client(base_url=server.url, trust_env=False, timeout=30) as http:
        kept = http.post("/api/login", json={"user": "cli-kept", "password": password, "keep": True}).json()
    assert kept["expiresIn"] == 30 * 86_400


def test_api_tokens_are_made_listed_and_revoked(
    run: Command, server: LiveServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    password = told(run("admin", "create", "cli-tokens", "--json"))["password"]
    monkeypatch.delenv("WORKROOM_TOKEN")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    login = ("login", "--user", "cli-tokens", "--token-name", "laptop")
    run(*login, input=f"{password}\n")
    kept = json.loads((tmp_path / "workroom" / "logins.json").read_text())["logins"][0]["token"]
    assert kept.startswith("wr_") and told(run("whoami", "--json"))["name"] == "cli-tokens"
    assert "an API token, which cannot sign out others" in run("logout", "--everywhere", code=1).stderr
    assert "No API token may do this" in run("token", "list", code=1).stderr
    person = ("--user", "cli-tokens", "--password", password)
    scopes = ("--scope", "read", "--scope", "worker")
    made = run("token", "create", "box", *scopes, "--expires", "12h", *person).stdout.strip()
    assert "already" in run("token", "create", "box", *person, code=1).stderr
    assert "is not a time" in run("token", "create", "x", "--expires", "soon", *person, code=1).stderr
    [box, laptop] = told(run("token", "list", "--json", *person))
    assert (box["name"], box["scopes"], laptop["scopes"]) == ("box", ["read", "worker"], ["write", "worker"])
    monkeypatch.setenv("WORKROOM_TOKEN", made)
    assert told(run("whoami", "--json"))["name"] == "cli-tokens"
    refused = run("rooms", "create", "cli-tokens-room", code=1).stderr
    assert "has the scopes read, worker, and this needs write" in refused
    monkeypatch.delenv("WORKROOM_TOKEN")
    run("token", "revoke", "box", *person)
    assert "You have no API token 'box'" in run("token", "revoke", "box", *person, code=1).stderr
    assert "expired or revoked" in run("whoami", "--token", made, code=1).stderr


def test_logins_at_several_servers_are_kept_beside_each_other(
    run: Command, server: LiveServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("WORKROOM_TOKEN")
    monkeypatch.delenv("WORKROOM_URL")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("WORKROOM_DATA", str(tmp_path))
    second = LiveServer().start()
    try:
        for at in (server.url, second.url):
            run("login", "--url", at, "--user", "admin", input=f"{ADMIN_PASSWORD}\n")
        assert told(run("whoami", "--json"))["server"] == second.url, "the last login counts"
        assert told(run("whoami", "--json", "--url", server.url))["role"] == "admin"
        run("logout", "--url", second.url)
        assert told(run("whoami", "--json"))["server"] == server.url
        assert told(run("whoami", "--json", "--url", second.url))["role"] == "guest"
    finally:
        second.remove()


def test_no_server_is_told_with_the_fix(
    run: Command, server: LiveServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert (
        "No server answers at http://127.0.0.1:9" in run("rooms", "list", "--url", "http://127.0.0.1:9", code=1).stderr
    )
    wrong = run("rooms", "list", "--url", f"{server.url}/nonsense", code=1).stderr
    assert f"There is no Workroom server at {server.url}/nonsense" in wrong
    monkeypatch.delenv("WORKROOM_URL")
    monkeypatch.setenv("WORKROOM_DATA", str(tmp_path))
    assert "Start one with `workroom serve`" in run("postings", "list", code=1).stderr


def test_on_its_own_machine_a_command_signs_in_by_itself(run: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    own = LiveServer()
    for name in ("WORKROOM_URL", "WORKROOM_TOKEN"):
        monkeypatch.delenv(name)
    monkeypatch.setenv("WORKROOM_DATA", str(own.data))
    try:
        own.start(admin_password=None)
        assert [one["name"] for one in told(run("admin", "users", "--json"))] == ["admin"]
        assert told(run("rooms", "create", "mine", "--json"))["owner"] != "admin"
        findings = {one["check"]: one for one in told(run("doctor", "--json"))}
        assert {one["status"] for one in findings.values()} <= {"ok", "warn"}
        assert (
            findings["schema"]["status"]
            == findings["server"]["status"]
            == findings["clock of the server"]["status"]
            == "ok"
        )
        for what in ("built-in extensions", "posted functions"):  # this server has no pool, and nothing waits
            assert (findings[what]["status"], findings[what]["detail"]) == ("ok", "no worker runs them")
        for what in ("confinement of files", "confinement of sockets"):
            assert findings[what]["status"] == "ok" or findings[what]["fix"]
    finally:
        own.remove()


def test_the_doctor_tells_who_runs_functions_and_warns_when_calls_wait_in_vain(
    run: Command, monkeypatch: pytest.MonkeyPatch, tasks: Path
) -> None:
    own = LiveServer.with_pool(2)
    for name in ("WORKROOM_URL", "WORKROOM_TOKEN"):
        monkeypatch.delenv(name)
    monkeypatch.setenv("WORKROOM_DATA", str(own.data))

    def found(what: str) -> tuple[str, str]:
        findings = {one["check"]: one for one in told(run("doctor", "--json"))}
        return findings[what]["status"], findings[what]["detail"]

    def becomes(what: str, wanted: tuple[str, str]) -> None:
        deadline = time.monotonic() + 30
        while (seen := found(what)) != wanted:
            assert time.monotonic() < deadline, seen

    try:
        own.start()
        url = running_url(own.data)
        assert url is not None
        becomes("built-in extensions", ("ok", "1 worker runs them"))
        assert found("posted functions") == ("ok", "no worker runs them")
        run("post", f"{tasks}:square", "-", input="[1]\n[2]\n")
        assert found("posted functions") == ("warn", "no worker runs them, and 2 calls wait")
        with ClusterPool(2, imports=[str(tasks)], database=url):
            becomes("posted functions", ("ok", "2 workers run them"))
        close_backend(url)
    finally:
        own.remove()


def test_the_doctor_works_without_a_server_and_fails_on_a_wrong_one(
    run: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("WORKROOM_URL")
    monkeypatch.setenv("WORKROOM_DATA", str(tmp_path / "none"))
    out = run("doctor").stdout
    assert re.search(r"ok +Python", out) and re.search(r"warn +server .*\n +→ `workroom serve`", out)
    assert re.search(
        r"fail +server +http://127.0.0.1:9 does not answer", run("doctor", "--url", "http://127.0.0.1:9", code=1).stdout
    )
    (tmp_path / "file").write_text("")
    wrong = {one["check"]: one for one in told(run("doctor", "--data", str(tmp_path / "file"), "--json", code=1))}
    assert wrong["data folder"]["status"] == "fail" and "--data" in wrong["data folder"]["fix"]
    unusable = run("doctor", "--database", "postgresql://nobody@127.0.0.1:9/x", code=1).stdout
    assert re.search(r"fail +database", unusable)


def test_the_doctor_checks_the_redis_and_the_broker_that_are_set(
    run: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("WORKROOM_URL")
    monkeypatch.setenv("WORKROOM_DATA", str(tmp_path / "none"))
    redis = Redis().start()
    for name in ("WORKROOM_REDIS", "WORKROOM_BROKER"):
        monkeypatch.setenv(name, redis.url)
    findings = {one["check"]: one["status"] for one in told(run("doctor", "--json"))}
    assert (findings["Redis"], findings["broker"]) == ("ok", "ok")
    redis.remove()
    out = run("doctor", code=1).stdout
    assert re.search(r"fail +Redis .*\n +→ .*WORKROOM_REDIS", out) and re.search(r"fail +broker ", out)


@pytest.mark.parametrize(
    ("word", "hint"), [("slurm", "`workroom --help`"), ("serv", "Did you mean serve"), ("posting", "postings")]
)
def test_an_unknown_command_is_an_error_and_not_a_file(run: Command, word: str, hint: str) -> None:
    for more in ([], ["--help"]):
        refused = run(word, *more, code=2)
        said = " ".join(refused.stderr.replace("│", " ").split())
        assert f"There is no command '{word}'" in said and hint in said
        assert "Add the frames" not in refused.stdout


def test_version_help_and_completion_have_their_usual_options(run: Command) -> None:
    for option in ("--version", "-V"):
        assert run(option).stdout == f"{__version__}\n"
    for words in (["-h"], ["rooms", "-h"], ["rooms", "list", "-h"]):
        assert "Usage" in run(*words).stdout
    assert "--install-completion" in run("-h").stdout
    typed = {"_WORKROOM_COMPLETE": "complete_bash", "COMP_WORDS": "workroom wo", "COMP_CWORD": "1"}
    completed = CliRunner().invoke(app, [], prog_name="workroom", env=typed).stdout
    assert completed.split() == ["worker", "workers"]


def test_a_file_that_cannot_be_read_leaves_no_room(run: Command, tmp_path: Path) -> None:
    file = tmp_path / "cli-broken.xyz"
    file.write_text("1\n\nH 0 0 0\n2\n\nH 0 0 0\n")
    assert "1 line too early" in run(str(file), code=1).stderr
    assert "There is no such room" in run("rooms", "show", "cli-broken", code=1).stderr
    file.write_text("1\n\nH 0 0 0\n")
    assert "1 frame\n" in run(str(file)).stdout
    file.write_text("nonsense")
    run(str(file), code=1)
    assert told(run("rooms", "show", "cli-broken", "--json"))["name"] == "cli-broken"


def test_a_file_that_does_not_exist_is_told(run: Command) -> None:
    assert "There is no file missing.xyz" in run("missing.xyz", code=1).stderr


def test_a_file_that_cannot_be_read_leaves_no_room_behind(run: Command, tmp_path: Path) -> None:
    frame = "1\n\nH 0 0 0\n"
    broken = tmp_path / "torn.xyz"
    broken.write_text(frame + "2\n\nH 0 0 0\n")
    assert "torn.xyz cannot be read" in run(str(broken), code=1).stderr
    unknown = tmp_path / "torn.unknown"
    unknown.write_text("nothing")
    assert "--format extxyz" in run(str(unknown), code=1).stderr
    run("rooms", "show", "torn", code=1)
    good = tmp_path / "torn.extxyz"
    good.write_text(frame)
    assert "torn.extxyz: 1 frame\n" in run(str(good), "--no-browser").stdout
    # A room that was there before stays.
    run(str(broken), code=1)
    run("rooms", "show", "torn")
