"""The submit route: valid, invalid, oversized, chunked and unauthorised requests."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator

import pytest
from tests.acceptance.live import LiveServer, PlainWorker, Someone


@pytest.fixture
async def room(ada: Someone) -> str:
    name = await ada.makes_room(f"submit-{time.time_ns()}")
    worker = PlainWorker(ada)
    assert (await worker.registers(name, "Probe", capacity=100)).status_code == 201
    return name


def _path(room: str) -> str:
    return f"/api/rooms/{room}/extensions/modifiers/Probe/submit"


@pytest.mark.parametrize(
    ("body", "kind", "status", "code"),
    [
        (b'{"data":{}}', "application/json", 202, None),
        (b'{"data":{}}', "application/json; charset=utf-8", 202, None),
        (b" \n{}\n", "application/json", 202, None),
        (b"", "application/json", 422, "invalid_request"),
        (b"{", "application/json", 400, "bad_input"),
        (b'{"data":{"n":NaN}}', "application/json", 400, "bad_input"),
        (b"\xff\xfe", "application/json", 400, "bad_input"),
        (b"[]", "application/json", 422, "invalid_request"),
        (b'{"data":7}', "application/json", 422, "invalid_request"),
        (b'{"data":{},"what":1}', "application/json", 422, "invalid_request"),
        (b'{"data":{},"priority":11}', "application/json", 422, "invalid_request"),
        (b'{"data":{"n":"x"}}', "application/json", 422, "invalid_arguments"),
        (b'{"data":{},"scope":"nowhere"}', "application/json", 404, "not_found"),
        (b'{"data":{"x":"' + b"x" * 1_300_000 + b'"}}', "application/json", 413, "too_large"),
        (b"data=1", "application/x-www-form-urlencoded", 422, "invalid_request"),
    ],
)
async def test_each_body_gets_its_status_and_error_code(
    ada: Someone, room: str, body: bytes, kind: str, status: int, code: str | None
) -> None:
    answer = await ada.http.post(_path(room), content=body, headers={"Content-Type": kind})
    assert answer.status_code == status, answer.text
    assert answer.headers["x-content-type-options"] == "nosniff"
    if code is None:
        assert answer.headers["content-type"] == "application/json"
        assert answer.json()["status"] == "pending"
        assert (await ada.job(answer.json()["jobId"]))["room"] == room
    else:
        assert answer.headers["content-type"] == "application/problem+json"
        assert answer.json()["code"] == code
    assert "Traceback" not in (log := ada.server.log()), log.partition("Traceback")[2][:3_000]


async def test_a_chunked_body_is_read_whole(ada: Someone, room: str) -> None:
    async def chunks() -> AsyncGenerator[bytes]:
        for chunk in (b'{"da', b'ta":', b'{"n":3}', b"}"):
            yield chunk
            await asyncio.sleep(0.02)

    answer = await ada.http.post(_path(room), content=chunks(), headers={"Content-Type": "application/json"})
    assert answer.status_code == 202, answer.text
    assert (await ada.job(answer.json()["jobId"]))["data"] == {"n": 3}
    body = b'{"data":{"n":4}' + b" " * 900_000 + b"}"
    answer = await ada.http.post(_path(room), content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 202, answer.text
    assert (await ada.job(answer.json()["jobId"]))["data"] == {"n": 4}


async def test_an_integer_that_would_be_rounded_is_refused_with_the_fix(ada: Someone, room: str) -> None:
    content = b'{"data": {"n": 12345678901234567890123}}'
    path = f"/api/rooms/{room}/extensions/modifiers/Relax/submit"
    refused = await ada.http.post(path, content=content, headers={"Content-Type": "application/json"})
    assert refused.status_code == 400 and '"int"' in refused.json()["detail"], refused.text


async def test_an_incomplete_body_submits_nothing(server: LiveServer, ada: Someone, room: str) -> None:
    """A client that disconnects before it has sent its Content-Length submits nothing."""
    before = (await ada.get(f"/api/rooms/{room}/jobs"))["items"]
    host, _, port = server.url.removeprefix("http://").partition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(
        f"POST {_path(room)} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {ada.token}\r\n"
        "Content-Type: application/json\r\nContent-Length: 50\r\n\r\n{}".encode()
    )
    writer.write_eof()
    async with asyncio.timeout(10):
        assert b" 202 " not in await reader.read()  # until the server closes its side too
    writer.close()
    await writer.wait_closed()
    assert (await ada.get(f"/api/rooms/{room}/jobs"))["items"] == before
    assert "Traceback" not in server.log()


@pytest.mark.parametrize("token", ["", "Bearer", "Bearer x.y.z", "Basic YTpi"])
async def test_a_missing_or_invalid_token_is_refused(ada: Someone, room: str, token: str) -> None:
    answer = await ada.http.post(_path(room), json={"data": {}}, headers={"Authorization": token})
    assert (answer.status_code, answer.json()["code"]) == (401, "not_signed_in")
    assert answer.headers["www-authenticate"] == "Bearer"


async def test_other_methods_and_unknown_paths_are_refused(ada: Someone, room: str) -> None:
    assert (await ada.http.put(_path(room), json={})).status_code == 405
    for path in (_path("no-such-room"), _path(room) + "/", _path(room).replace("Probe", "Pro%2Fbe"), _path("%00")):
        answer = await ada.http.post(path, json={"data": {}})
        assert answer.status_code in (404, 405), (path, answer.text)


async def test_a_retried_submission_returns_the_same_job(ada: Someone, room: str) -> None:
    body = {"data": {"n": 1}, "idempotencyKey": f"key-{time.time_ns()}"}
    first = await ada.http.post(_path(room), json=body)
    again = await ada.http.post(_path(room), json=body)
    assert (first.status_code, again.status_code) == (202, 202), again.text
    assert again.json()["jobId"] == first.json()["jobId"]


@pytest.mark.parametrize(
    ("path", "hint"),
    [
        ("modifiers/Prob", "Did you mean modifiers/Probe?"),
        ("modifiers/probe", "Did you mean modifiers/Probe?"),
        ("modifier/Probe", "Did you mean modifiers/Probe?"),
        ("modifiers/Xyzzy", None),
    ],
)
async def test_a_misspelt_extension_is_answered_with_those_that_look_like_it(
    ada: Someone, room: str, path: str, hint: str | None
) -> None:
    answer = await ada.http.post(f"/api/rooms/{room}/extensions/{path}/submit", json={"data": {}})
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    assert answer.json()["detail"] == f"There is no extension {path} in room {room!r}." + (f" {hint}" if hint else "")
