"""Requests made to take all the time or memory of the server: it answers others meanwhile."""

from __future__ import annotations

import asyncio
import os
import struct
import time
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import numpy as np
import pytest
from tests.acceptance.live import LiveServer, PlainWorker, Someone

from workroom.wire.frames import MEDIA_TYPE, encode, framed

# In every run the machine has other work to do, and a held-up server is held up for seconds.
LATEST_SECONDS = 0.25 if os.environ.get("WORKROOM_TEST_QUIET") else 1.0
MOST_BYTES = 100_000_000
HEADERS = {"Content-Type": MEDIA_TYPE}


@pytest.fixture(scope="module")
def server() -> Generator[LiveServer]:
    """A server of its own: the memory of other tests would be measured otherwise."""
    live = LiveServer().start()
    yield live
    live.remove()


@pytest.fixture
async def ada(server: LiveServer) -> AsyncGenerator[Someone]:
    someone = await Someone.signs_in(server, f"ada-{time.time_ns()}")
    someone.http.timeout = 120  # a validation has a budget of processor time, which takes longer on a busy machine
    yield someone
    await someone.close()


@pytest.fixture
async def room(ada: Someone) -> str:
    return await ada.makes_room(f"lab-{time.time_ns()}")


def peak_memory(server: LiveServer) -> int:
    lines = (server.proc / "status").read_text().splitlines()
    return next(int(line.split()[1]) * 1_000 for line in lines if line.startswith("VmHWM"))


@asynccontextmanager
async def answering(server: LiveServer) -> AsyncGenerator[None]:
    """The server answers `/healthz` quickly, and takes little memory, in this block."""
    waits: list[float] = []
    late: list[float] = [0.0]  # how late this process itself is woken, on a machine with other work

    async def probe() -> None:
        async with httpx2.AsyncClient(base_url=server.url, timeout=60, trust_env=False) as http:
            while True:
                started = time.monotonic()
                assert (await http.get("/healthz")).status_code == 200
                waits.append(time.monotonic() - started)
                started = time.monotonic()
                await asyncio.sleep(0.02)
                late.append(time.monotonic() - started - 0.02)

    (server.proc / "clear_refs").write_text("5")  # the peak is measured from now on
    before = peak_memory(server)
    probing = asyncio.create_task(probe())
    try:
        yield
        await asyncio.sleep(0.05)
    finally:
        probing.cancel()
        await asyncio.gather(probing, return_exceptions=True)
    allowed = LATEST_SECONDS + 2 * max(late)
    assert max(waits) < allowed, f"/healthz took {max(waits):.2f} s; {allowed:.2f} s are allowed"
    assert peak_memory(server) - before < MOST_BYTES, f"{(peak_memory(server) - before) / 1e6:.0f} MB"


def doubling_per_level(levels: int) -> dict[str, Any]:
    """Each level of the arguments is checked twice as often as the one above it."""
    level: dict[str, Any] = {}
    for number in range(levels):
        following = {"properties": {"a": {"$ref": f"#/$defs/n{number + 1}"}}}
        level[f"n{number}"] = {"allOf": [following, following]}
    return {"$ref": "#/$defs/n0", "$defs": level | {f"n{levels}": {"type": "string"}}}


def nested(levels: int) -> dict[str, Any]:
    value: Any = "x"
    for _ in range(levels):
        value = {"a": value}
    return value


def evaluated_in_vain(levels: int) -> dict[str, Any]:
    found: Any = {"properties": {"a": {"type": "integer"}}}
    for _ in range(levels):
        found = {"anyOf": [found, {"not": found}]}
    return {"unevaluatedProperties": False, **found}


SLOW_PATTERN = r"^(\w|\w\w)+\d$"
ARGUMENT_BOMBS: dict[str, tuple[dict[str, Any], Any]] = {
    "references that double": (doubling_per_level(18), nested(18)),
    "unique items": (
        {"properties": {"a": {"uniqueItems": True}}},
        {"a": [[number, {"x": number}] for number in range(2_000)]},
    ),
    "unique numbers of one hash": (
        {"properties": {"a": {"uniqueItems": True}}},
        {"a": [[2.0 ** (61 * i - 1000), 2.0 ** (61 * j - 1000)] for i in range(32) for j in range(32)]},
    ),
    "many patterns": ({"additionalProperties": {"pattern": SLOW_PATTERN}}, {f"s{n}": "a" * 60 for n in range(30)}),
    "patterns of names": (
        {"patternProperties": {SLOW_PATTERN: {}}, "additionalProperties": False},
        {"a" * (60 + n): 1 for n in range(10)},
    ),
    "patterns of another draft": (
        {"properties": {"a": {"$schema": "http://json-schema.org/draft-07/schema#", "pattern": SLOW_PATTERN}}},
        {"a": "a" * 60},
    ),
    "contains": (
        {"properties": {"a": {"allOf": [{"contains": {"const": -number}} for number in range(1, 200)]}}},
        {"a": list(range(5_000))},
    ),
    "messages that quote everything": (
        {"properties": {"a": {"allOf": [{"type": "string", "maxItems": number} for number in range(1_000)]}}},
        {"a": ["x" * 900_000]},
    ),
    "unevaluated properties": (evaluated_in_vain(9), {"a": 1, "b": 2}),
}


# References and comparisons take different ways through the validator. Patterns come with `make faults`.
IN_EVERY_RUN = {"unique items"}


@pytest.mark.parametrize(
    "bomb",
    [name if name in IN_EVERY_RUN else pytest.param(name, marks=pytest.mark.full) for name in ARGUMENT_BOMBS],
)
async def test_a_validation_has_one_budget_and_others_do_not_wait(
    server: LiveServer, ada: Someone, room: str, bomb: str
) -> None:
    schema, arguments = ARGUMENT_BOMBS[bomb]
    worker = PlainWorker(ada)
    path = f"/api/rooms/{room}/extensions/modifiers/Bomb"
    async with answering(server):
        answer = await worker.registers(room, "Bomb", schema=schema)
        if answer.status_code == 201:
            answers = await asyncio.gather(
                ada.http.post(f"{path}/submit", json={"data": arguments}),
                ada.http.post(f"{path}/submit-many", json={"data": [arguments]}),
                ada.http.post(f"{path}/sweep", json={"jobs": [arguments]}),
            )
            assert {one.status_code for one in answers} <= {201, 202, 413, 422}, [one.text for one in answers]
            assert len({one.status_code < 300 for one in answers}) == 1
        else:
            assert answer.status_code == 400 and "The schema of Bomb" in answer.json()["detail"], answer.text


async def test_a_large_honest_set_of_arguments_is_checked_beside_the_event_loop(
    server: LiveServer, ada: Someone, room: str
) -> None:
    schema = {"properties": {"a": {"items": {"type": "integer", "minimum": 0}}}}
    worker = PlainWorker(ada)
    await worker.registers(room, "Sum", schema=schema)
    path = f"/api/rooms/{room}/extensions/modifiers/Sum/submit"
    async with answering(server):
        good = await ada.http.post(path, json={"data": {"a": list(range(20_000))}})
        bad = await ada.http.post(path, json={"data": {"a": [*range(20_000), -1]}})
    assert good.status_code == 202, good.text
    assert bad.status_code == 422 and bad.json()["errors"][0]["path"] == "data.a[20000]"


async def test_a_sweep_does_not_copy_its_data_for_each_job(server: LiveServer, ada: Someone, room: str) -> None:
    worker = PlainWorker(ada)
    await worker.registers(room, "Sum", schema={})
    path = f"/api/rooms/{room}/extensions/modifiers/Sum/sweep"
    async with answering(server):
        body = {"data": {"a": [{"x": n} for n in range(30_000)]}, "over": {"n": list(range(2_000))}}
        answer = await ada.http.post(path, json=body)
    assert answer.status_code == 413, answer.text


REFUSED_SCHEMAS: dict[str, tuple[dict[str, Any], str]] = {
    "a reference to nothing": ({"properties": {"a": {"$ref": "#/$defs/b"}}}, "#/properties/a/$ref"),
    "an anchor that is not there": ({"items": {"$ref": "#b"}}, "#/items/$ref"),
    "a reference outside": ({"$ref": "http://example.com/schema"}, "#/$ref"),
    "a reference to itself": ({"$ref": "#"}, "#"),
    "a circle of references": (
        {"$defs": {"a": {"anyOf": [{"$ref": "#/$defs/b"}]}, "b": {"not": {"$ref": "#/$defs/a"}}}},
        "#/$defs/",
    ),
    "a reference to what is no schema": ({"$ref": "#/examples/0", "examples": [{"type": 5}]}, "#/examples/0"),
    "a type that does not exist": ({"properties": {"a": {"type": "float"}}}, "#.properties.a.type"),
    "a deep pattern": ({"properties": {"a": {"pattern": "(" * 300 + ")" * 300}}}, "#/properties/a/pattern"),
    "a deep pattern of names": ({"patternProperties": {"(" * 300 + ")" * 300: {}}}, "#/patternProperties"),
    "a broken pattern": ({"pattern": "("}, "#/pattern"),
    "references that double": (
        {
            "$ref": "#/$defs/n0",
            "$defs": {f"n{n}": {"allOf": [{"$ref": f"#/$defs/n{n + 1}"}] * 2} for n in range(17)} | {"n17": {}},
        },
        "#/$defs/n",
    ),
    "a long chain of references": (
        {"$defs": {f"n{n}": {"$ref": f"#/$defs/n{n + 1}"} for n in range(500)} | {"n500": {}}},
        "#/$defs/n",
    ),
    "another draft inside": ({"items": {"$schema": "http://json-schema.org/draft-07/schema#"}}, "#/items/$schema"),
}


@pytest.mark.parametrize("kind", REFUSED_SCHEMAS)
async def test_a_schema_that_cannot_be_used_is_refused_with_its_place(
    server: LiveServer, ada: Someone, room: str, kind: str
) -> None:
    schema, place = REFUSED_SCHEMAS[kind]
    async with answering(server):
        answer = await PlainWorker(ada).registers(room, "Wrong", schema=schema)
    assert answer.status_code == 400, answer.text
    assert place in answer.json()["detail"] and "The schema of Wrong" in answer.json()["detail"], answer.text


async def test_a_large_schema_is_judged_beside_the_event_loop(server: LiveServer, ada: Someone, room: str) -> None:
    fields = {f"p{number}": {"type": "integer", "minimum": number} for number in range(400)}
    tree = {"children": {"items": {"$ref": "#"}}}  # ends where the arguments end
    async with answering(server):
        answer = await PlainWorker(ada).registers(room, "Large", schema={"properties": fields | tree})
    assert answer.status_code == 201, answer.text


def frame(more: bytes = b"", keys: int = 0, **values: Any) -> bytes:
    plain = encode({"arrays.numbers": np.ones(2, int), "arrays.positions": np.zeros((2, 3))} | values)
    return bytes([plain[0] + keys]) + plain[1:] + more


def stream(*frames: bytes) -> bytes:
    return b"".join(part for one in frames for part in framed(one))


@pytest.mark.parametrize("method", ["GET", "DELETE"])
async def test_the_sum_of_selected_indices_is_bounded(server: LiveServer, ada: Someone, room: str, method: str) -> None:
    async with answering(server):
        answer = await ada.http.request(
            method, f"/api/rooms/{room}/frames", params={"indices": ",".join(["0:1000000"] * 40)}
        )
    assert answer.status_code == 400 and "1,000,000 indices" in answer.json()["detail"], answer.text


async def test_forty_thousand_frames_are_replaced_by_index_without_a_pause(
    server: LiveServer, ada: Someone, room: str
) -> None:
    path = f"/api/rooms/{room}/frames"
    count = 40_000
    body = stream(frame()) * count
    assert (await ada.http.post(path, content=body, headers=HEADERS)).status_code == 200
    indices = encode({"indices": np.arange(count)})
    chosen = b"".join(framed(indices)) + body
    params = {"action": "replace", "indices": "body"}
    async with answering(server):
        answer = await ada.http.post(path, params=params, content=chosen, headers=HEADERS)
    assert answer.status_code == 200 and answer.json()["count"] == count, answer.text


async def test_every_other_frame_is_replaced_deleted_and_undone_without_a_pause(
    server: LiveServer, ada: Someone, room: str
) -> None:
    path = f"/api/rooms/{room}/frames"
    count = 40_000
    assert (await ada.http.post(path, content=stream(frame()) * count, headers=HEADERS)).status_code == 200
    odd = b"".join(framed(encode({"indices": np.arange(1, count, 2)})))
    written: list[str] = []
    async with answering(server):
        for params, content in (
            ({"action": "replace", "indices": "body"}, odd + stream(frame()) * (count // 2)),
            ({"action": "delete", "indices": "body"}, odd),
        ):
            answer = await ada.http.post(path, params=params, content=content, headers=HEADERS)
            assert answer.status_code == 200, answer.text
            written.append(answer.json()["changeId"])
        for change in reversed(written):
            answer = await ada.http.post(f"/api/rooms/{room}/changes/{change}/undo")
            assert answer.status_code == 200, answer.text
    assert (await ada.http.get(path, params={"indices": "0"})).headers["workroom-length"] == str(count)


COLLIDING = [number * (2**61 - 1) for number in range(16_000)]


async def test_keys_of_one_hash_are_refused_in_a_frame(server: LiveServer, ada: Someone, room: str) -> None:
    body = stream(encode({"arrays.numbers": np.ones(2, int), "info.d": Colliding()}, default=Colliding.pairs))
    async with answering(server):
        answer = await ada.http.post(f"/api/rooms/{room}/frames", content=body, headers=HEADERS)
    assert answer.status_code == 400 and "same hash" in answer.json()["detail"], answer.text


class Colliding:
    """A dict with keys of one hash; it is never made here, which would take as long as at the server."""

    @staticmethod
    def pairs(_: Any) -> dict[str, Any]:
        return {"!": "dict", "items": [[key, 0] for key in COLLIDING]}


@pytest.mark.parametrize("kind", ["dict", "set", "frozenset"])
async def test_keys_of_one_hash_are_refused_in_a_call(server: LiveServer, ada: Someone, kind: str) -> None:
    keys: list[Any] = [{"~": ["int", str(key)]} for key in COLLIDING]
    content: Any = [[key, 0] for key in keys] if kind == "dict" else keys
    body = {"function": "f", "jobs": [{"args": [{"~": [kind, content]}]}]}
    async with answering(server):
        answer = await ada.http.post("/api/postings", json=body)
    assert answer.status_code == 400 and "same hash" in answer.json()["detail"], answer.text


@pytest.mark.parametrize("shape", [[0, 2**62, 2**62], [2**63, 0], [0, 2**40]])
async def test_an_absurd_shape_is_refused(server: LiveServer, ada: Someone, room: str, shape: list[int]) -> None:
    sizes = bytes([0x90 + len(shape)]) + b"".join(struct.pack(">BQ", 0xCF, size) for size in shape)
    head = b"\xa6info.x\x84\xa5dtype\xa3<f8\xa5shape" + sizes + b"\xa3pad\xc4"
    at = len(frame()) + len(head) + 1 + len(b"\xa5bytes\xc4\x00")
    more = head + bytes([-at % 8]) + bytes(-at % 8) + b"\xa5bytes\xc4\x00"
    answer = await ada.http.post(f"/api/rooms/{room}/frames", content=stream(frame(more, keys=1)), headers=HEADERS)
    assert answer.status_code == 400 and "shape" in answer.json()["detail"], answer.text


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("PUT", "selections/particles", {"indices": ["x"] * 250_000}),
        ("PUT", "frame-selection", {"indices": [-1] * 350_000}),
        ("PUT", "selections/particles", {f"f{number}": 0 for number in range(80_000)}),
        ("POST", "extensions/modifiers/Sum/submit-many", {"data": [0] * 10_000}),
        ("POST", "extensions/modifiers/Sum/sweep", {"jobs": [0] * 10_000}),
    ],
    ids=["items of another type", "items out of range", "unknown fields", "jobs", "sweep"],
)
async def test_very_many_faults_in_a_request_are_not_described_one_by_one(
    server: LiveServer, ada: Someone, room: str, method: str, path: str, body: Any
) -> None:
    async with answering(server):
        answer = await ada.http.request(method, f"/api/rooms/{room}/{path}", json=body)
    assert answer.status_code == 422 and len(answer.content) < 50_000, answer.text[:1_000]
