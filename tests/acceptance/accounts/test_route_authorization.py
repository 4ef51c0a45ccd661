"""Every route and every socket event is closed to whoever has no business there. The lists are read from the server."""

from __future__ import annotations

import re
from typing import Any
from uuid import UUID, uuid4

import httpx2
import pytest
from socketio.exceptions import ConnectionError as RefusedByServer
from tests.acceptance.live import LiveServer, PlainWorker, Someone, Watcher, plain_socket

from workroom.server.auth.tokens import JobToken, PersonToken, TokenIssuer, WorkerToken

OPEN = {
    ("POST", "/api/login"),
    ("POST", "/api/login/code"),
    ("GET", "/api/login/methods"),
    ("POST", "/api/login/header"),
    ("GET", "/healthz"),
    ("GET", "/readyz"),
    ("GET", "/api/docs"),
    ("GET", "/api/openapi.json"),
}


async def _routes(server: LiveServer) -> list[tuple[str, str]]:
    async with httpx2.AsyncClient(base_url=server.url, trust_env=False) as http:
        document = (await http.get("/api/openapi.json")).json()
    return [
        (method.upper(), path)
        for path, operations in document["paths"].items()
        for method in operations
        if (method.upper(), path) not in OPEN
    ]


def _filled(path: str) -> str:
    return re.sub(r"\{(\w+)\}", lambda found: str(uuid4()) if found[1] in ("id",) else "some-thing", path)


async def test_every_route_refuses_a_missing_an_expired_and_a_foreign_token(server: LiveServer, ada: Someone) -> None:
    routes = await _routes(server)
    assert len(routes) > 30
    expired = TokenIssuer((server.data / "secret-key").read_text().strip()).issue(_person(ada), -100)
    foreign = TokenIssuer("0" * 64).issue(_person(ada), 1000)
    unsigned = "eyJhbGciOiJub25lIn0.eyJhdWQiOiJwZXJzb24iLCJzdWIiOiIxIn0."
    async with httpx2.AsyncClient(base_url=server.url, trust_env=False) as http:
        for method, path in routes:
            for token in (None, expired, foreign, unsigned, "garbage"):
                headers = {} if token is None else {"Authorization": f"Bearer {token}"}
                answer = await http.request(method, _filled(path), headers=headers, json={})
                assert answer.status_code == 401, (method, path, token, answer.text)
                assert answer.json()["code"] == "not_signed_in"
                assert answer.headers["WWW-Authenticate"] == "Bearer"
    print(f"{len(routes)} routes x 5 bad tokens: all refused")


async def test_a_workers_and_a_jobs_token_open_only_their_own_doors(
    server: LiveServer, ada: Someone, room: str, workers: list[PlainWorker]
) -> None:
    worker = await PlainWorker.online(ada, room, "Relax")
    workers.append(worker)
    await ada.submits(room, "Relax")
    job = await worker.gets()
    own = {
        ("GET", f"/api/rooms/{room}"),
        ("GET", f"/api/rooms/{room}/chat"),
    }
    other = await ada.makes_room(f"{ada.name}-other")
    async with httpx2.AsyncClient(base_url=server.url, trust_env=False) as http:
        for token, allowed in ((worker.token, set[tuple[str, str]]()), (job["jobToken"], own)):
            headers = {"Authorization": f"Bearer {token}"}
            for method, path in (
                ("GET", "/api/rooms"),
                ("GET", "/api/users"),
                ("GET", "/api/users/me"),
                ("GET", "/api/jobs"),
                ("GET", f"/api/rooms/{room}"),
                ("GET", f"/api/rooms/{room}/chat"),
                ("GET", f"/api/rooms/{other}"),
                ("DELETE", f"/api/rooms/{room}"),
                ("DELETE", f"/api/jobs/{job['jobId']}"),
                ("GET", "/metrics"),
                ("GET", "/api/admin/audit"),
            ):
                answer = await http.request(method, path, headers=headers)
                expected = {200} if (method, path) in allowed else {401, 403, 404}
                assert answer.status_code in expected, (method, path, answer.text)
        await worker.runs(job)
        late = await http.get(f"/api/rooms/{room}", headers={"Authorization": f"Bearer {job['jobToken']}"})
        assert (late.status_code, late.json()["code"]) == (409, "attempt_lost")


@pytest.mark.parametrize("auth", [None, {}, {"token": ""}, {"token": "garbage"}, {"token": 7}, "text"])
async def test_a_socket_without_a_good_token_is_refused(server: LiveServer, auth: Any) -> None:
    client = plain_socket()
    with pytest.raises(RefusedByServer):
        await client.connect(server.url, auth=auth, transports=["websocket"])


async def test_sockets_with_expired_foreign_or_stale_tokens_are_refused(
    server: LiveServer, ada: Someone, room: str
) -> None:
    ours = TokenIssuer((server.data / "secret-key").read_text().strip())
    worker = PlainWorker(ada)
    assert (await worker.registers(room, "Relax")).status_code == 201
    old = worker.token
    assert (await worker.registers(room, "Relax", again=True)).status_code == 201
    bad = (
        ours.issue(_person(ada), -100),
        TokenIssuer("0" * 64).issue(_person(ada), 1000),
        ours.issue(PersonToken(_person(ada).account_id, 99), 1000),
        ours.issue(WorkerToken(uuid4(), 1), 1000),
        old,
    )
    for token in bad:
        client = plain_socket()
        with pytest.raises(RefusedByServer):
            await client.connect(server.url, auth={"token": token}, transports=["websocket"])


async def test_every_socket_event_is_refused_to_whoever_may_not(
    server: LiveServer, ada: Someone, room: str, workers: list[PlainWorker]
) -> None:
    private = await ada.makes_room(f"{ada.name}-private", "private")
    stranger = await Someone.signs_in(server, f"stranger-to-{ada.name}")
    worker = await PlainWorker.online(ada, room, "Relax")
    workers.append(worker)
    ghost = {"jobId": str(uuid4()), "attempt": 1, "workerId": worker.id}
    client = plain_socket()
    await client.connect(server.url, auth={"token": stranger.token}, transports=["websocket"])
    for name, body in (
        ("room:join", {"room": private}),
        ("room:join", {"room": "no-such-room"}),
        ("chat:send", {"room": private, "text": "hello"}),
        ("step:set", {"room": private, "step": 0}),
        ("camera:follow", {"room": private, "user": ada.id}),
        ("lock:acquire", {"room": private}),
        ("lock:refresh", {"room": private, "token": "x"}),
        ("lock:msg", {"room": private, "token": "x", "message": "hello"}),
        ("lock:release", {"room": private, "token": "x"}),
        ("job:claim", {"jobId": ghost["jobId"], "attempt": 1}),
        ("job:status", ghost | {"status": "running"}),
        ("job:progress", ghost | {"fraction": 0.5}),
        ("job:log", ghost | {"lines": ["x"]}),
    ):
        answer = await client.call(name, body)
        assert answer["ok"] is False and answer["code"] in ("not_found", "not_signed_in"), (name, answer)
    for name, body in (
        ("room:join", {"room": room}),
        ("chat:send", {"room": room, "text": "hello"}),
        ("step:set", {"room": room, "step": 0}),
        ("camera:follow", {"room": room, "user": ada.id}),
        ("camera:move", {"room": room}),
        ("lock:acquire", {"room": room}),
        ("lock:refresh", {"room": room, "token": "x"}),
        ("lock:msg", {"room": room, "token": "x", "message": "hello"}),
        ("lock:release", {"room": room, "token": "x"}),
        ("job:status", ghost | {"status": "running"}),
        ("job:progress", ghost | {"fraction": 0.5}),
        ("job:log", ghost | {"lines": ["x"]}),
    ):
        answer = await worker.sio.call(name, body)
        assert answer["ok"] is False, (name, answer)
    nonsense: list[Any] = [None, 7, "text", [], [[]], {"room": 7}, {"room": room, "extra": 1}]
    for body in nonsense:
        answer = await client.call("room:join", body)
        assert answer["ok"] is False and answer["code"] == "bad_input", (body, answer)
    await client.disconnect()
    await stranger.close()


async def test_a_stranger_hears_nothing_of_a_private_room(server: LiveServer, ada: Someone) -> None:
    private = await ada.makes_room(f"{ada.name}-private", "private")
    stranger = await Someone.signs_in(server, f"stranger-to-{ada.name}")
    answer = await ada.http.put(f"/api/rooms/{private}/members/{stranger.name}", json={"rights": "read"})
    assert answer.status_code < 300, answer.text
    inside = await Watcher.joins(ada, private)
    listening = await Watcher.joins(stranger, private)
    await ada.http.post(f"/api/rooms/{private}/chat", json={"text": "for members"})
    await listening.until("chat:message", lambda body: body["text"] == "for members")
    assert (await ada.http.delete(f"/api/rooms/{private}/members/{stranger.name}")).status_code < 300
    await inside.until("room:changed", lambda body: body["room"] == private)
    await ada.http.post(f"/api/rooms/{private}/chat", json={"text": "a secret"})
    await inside.until("chat:message", lambda body: body["text"] == "a secret")
    assert [body["text"] for name, body in listening.heard if name == "chat:message"] == ["for members"]
    await inside.leaves()
    await listening.leaves()
    await stranger.close()


async def test_revoking_an_account_drops_its_live_sockets(server: LiveServer, ada: Someone, room: str) -> None:
    watcher = await Watcher.joins(ada, room)
    dropped = watcher.sio.eio
    answer = await ada.http.post("/api/logout")
    assert answer.status_code < 300
    await watcher.sio.wait()
    assert dropped.state == "disconnected"
    assert (await ada.http.get("/api/users/me")).status_code == 401


async def test_job_tokens_of_another_attempt_open_nothing(
    server: LiveServer, ada: Someone, room: str, workers: list[PlainWorker]
) -> None:
    ours = TokenIssuer((server.data / "secret-key").read_text().strip())
    worker = await PlainWorker.online(ada, room, "Relax")
    workers.append(worker)
    job_id = (await ada.submits(room, "Relax"))["jobId"]
    await worker.gets()
    forged = ours.issue(JobToken(UUID(job_id), UUID(worker.id), 2, room), 1000)
    async with httpx2.AsyncClient(base_url=server.url, trust_env=False) as http:
        answer = await http.get(f"/api/rooms/{room}", headers={"Authorization": f"Bearer {forged}"})
    assert (answer.status_code, answer.json()["code"]) == (409, "attempt_lost")


def _person(someone: Someone) -> PersonToken:
    return PersonToken(UUID(someone.id), 0)
