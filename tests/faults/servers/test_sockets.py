"""Sockets that do not behave: too slow, silent, speaking nonsense, far too many. Nobody else may notice."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import time
from collections.abc import AsyncGenerator, Generator
from functools import partial
from typing import Any

import orjson
import pytest
from tests.acceptance.live import LiveServer, PlainWorker, Someone, plain_socket
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

MESSAGES, LENGTH = 1_000, 9_500  # more than the kernel holds for a connection
CAME_AND_WENT = 800
STUBBORN, SAID = 500, 60  # what is said to them stays in the kernel, so not too much


@pytest.fixture(scope="module")
def server() -> Generator[LiveServer]:
    live = LiveServer().start()
    yield live
    live.remove()


@pytest.fixture
async def ada(server: LiveServer) -> AsyncGenerator[Someone]:
    someone = await Someone.signs_in(server, f"ada-{time.time_ns()}")
    yield someone
    await someone.close()


async def _joined(someone: Someone, room: str, **options: Any) -> ClientConnection:
    """A bare web socket that speaks just enough to be in a room."""
    url = someone.server.url.replace("http", "ws", 1)
    made = await connect(f"{url}/socket.io/?EIO=4&transport=websocket", compression=None, proxy=None, **options)
    assert str(await made.recv()).startswith("0{")
    await made.send("40" + orjson.dumps({"token": someone.token}).decode())
    assert str(await made.recv()).startswith("40{")
    await made.send("420" + orjson.dumps(["room:join", {"room": room}]).decode())
    while not str(await made.recv()).startswith("430"):
        pass
    return made


async def _says(someone: Someone, room: str, text: str) -> None:
    answer = await someone.http.post(f"/api/rooms/{room}/chat", json={"text": text})
    assert answer.status_code < 300, answer.text


async def _numbers(listener: ClientConnection, last: int) -> list[int]:
    """The numbers that chat messages begin with, as they come, until this one; pings are answered."""
    heard: list[int] = []
    while not heard or heard[-1] != last:
        text = str(await asyncio.wait_for(listener.recv(), 60))
        if text == "2":
            await listener.send("3")
        elif text.startswith('42["chat:message"'):
            heard.append(int(orjson.loads(text[2:])[1]["text"].split()[0]))
    return heard


@pytest.mark.full
@pytest.mark.slow
async def test_who_reads_slowly_gets_everything_in_order_and_holds_nobody_up(ada: Someone) -> None:
    room = await ada.makes_room(f"lab-{time.time_ns()}")
    slow = await _joined(ada, room, max_queue=1)
    quick = await _joined(ada, room)
    hearing = asyncio.create_task(_numbers(quick, MESSAGES - 1))
    filler = "x" * LENGTH
    for number in range(MESSAGES):
        await _says(ada, room, f"{number} {filler}")
        if number % 100 == 0:
            # The slow client reads no ping. On a busy machine the loop takes longer than the ping timeout.
            await slow.send("3")
    assert await asyncio.wait_for(hearing, 60) == list(range(MESSAGES))
    # Whatever had to wait goes before what is said now.
    reading = asyncio.create_task(_numbers(slow, MESSAGES + 99))
    for number in range(MESSAGES, MESSAGES + 100):
        await _says(ada, room, f"{number} late")
    assert await reading == list(range(MESSAGES + 100))
    await slow.close()
    await quick.close()


NONSENSE = (
    "",
    "x",
    "9",
    "4",
    "4x",
    "42",
    "42{",
    "42[]",
    "42[1]",
    '42["room:join"',
    "5",
    "45-1[]",
    b"\x04\x00",
    "3",
    "1",
)
NONSENSE_AT_ONCE = ('["job:status"]', '["job:status"', '["job:status",', '["job:status",NaN]', '["job:status",{},{}]')
NONSENSE_NUMBERED = ('["room:join",{},{}]', '/x,["job:status",{}]', '1234567890123456789["job:status",{}]')


@pytest.mark.fault("F12")
@pytest.mark.parametrize("nonsense", [*NONSENSE, *(f"42{said}" for said in NONSENSE_AT_ONCE + NONSENSE_NUMBERED)])
async def test_nonsense_harms_only_its_speaker(ada: Someone, nonsense: str | bytes) -> None:
    room = await ada.makes_room(f"lab-{time.time_ns()}")
    bad, good = await _joined(ada, room), await _joined(ada, room)
    with contextlib.suppress(ConnectionClosed):
        await bad.send(nonsense)
        await bad.send('421["room:join",{"room":"' + room + '"}]')
    await _says(ada, room, "0 still here")
    assert await _numbers(good, 0) == [0]
    await good.close()
    await bad.close()
    assert "Traceback" not in (log := ada.server.log()), log.partition("Traceback")[2][:3_000]


@pytest.mark.fault("F12")
async def test_a_message_that_is_too_long_ends_its_socket(ada: Someone) -> None:
    room = await ada.makes_room(f"lab-{time.time_ns()}")
    bad, good = await _joined(ada, room), await _joined(ada, room)
    await bad.send("42" + orjson.dumps(["room:join", {"room": "x" * 1_500_000}]).decode())
    with pytest.raises(ConnectionClosed):
        await asyncio.wait_for(_numbers(bad, 0), 10)
    await _says(ada, room, "0 still here")
    assert await _numbers(good, 0) == [0]
    await good.close()


async def test_who_begins_by_polling_changes_to_a_web_socket(ada: Someone) -> None:
    room = await ada.makes_room(f"lab-{time.time_ns()}")
    client = plain_socket()
    heard: asyncio.Queue[str] = asyncio.Queue()

    async def hears(body: dict[str, Any]) -> None:
        heard.put_nowait(body["text"])

    client.on("chat:message", hears)
    await client.connect(ada.server.url, auth={"token": ada.token}, transports=["polling", "websocket"])
    assert client.transport() == "websocket"
    assert (await client.call("room:join", {"room": room}, timeout=5))["ok"]
    for number in range(20):
        await _says(ada, room, f"{number}")
    assert [await asyncio.wait_for(heard.get(), 5) for _ in range(20)] == [str(number) for number in range(20)]
    await client.disconnect()


@pytest.mark.parametrize("transport", ["websocket", pytest.param("polling", marks=pytest.mark.full)])
async def test_what_is_handled_while_it_is_read_is_always_answered(ada: Someone, transport: str) -> None:
    room = await ada.makes_room(f"lab-{time.time_ns()}")
    worker = PlainWorker(ada)
    await worker.registers(room, "Probe")
    await worker.attaches(transport)
    job: str = (await ada.submits(room, "Probe"))["jobId"]
    await worker.gets()
    word: dict[str, Any] = {"jobId": job, "attempt": 1}
    status: Any = partial(worker.sio.call, "job:status", timeout=10)
    assert await status([]) == {"ok": True, "answers": []}
    wrong: tuple[Any, ...] = (None, "running", 7, [[]], {}, word, word | {"status": "now"}, word | {"attempt": "x"})
    for body in (*wrong, (word, word)):
        answer = await status(body)
        assert (answer["ok"], answer["code"], answer["status"]) == (False, "bad_input", 400), (body, answer)
    assert (await status([word | {"status": "running"}, word | {"status": "perhaps"}]))["code"] == "bad_input"
    assert (await ada.job(job))["status"] == "assigned"  # of a list with something wrong in it, nothing is taken in
    late = word | {"attempt": 2, "status": "running"}
    answers = await status([late, word | {"status": "running"}])
    assert [one["ok"] for one in answers["answers"]] == [False, True]
    assert answers["answers"][0]["code"] == "attempt_lost"
    assert (await status(word | {"status": "completed", "result": 1}))["ok"]
    assert (await status(word | {"status": "completed", "result": 2}))["code"] == "job_final"
    assert (await ada.job(job))["result"] == 1
    await worker.leaves()
    assert "Traceback" not in (log := ada.server.log()), log.partition("Traceback")[2][:3_000]


@pytest.mark.slow
@pytest.mark.fault("F11")
@pytest.mark.full
async def test_hundreds_that_never_read_are_dropped_and_nobody_waits_for_them(ada: Someone) -> None:
    """F11. They join a room, then neither read nor answer pings."""
    room = await ada.makes_room(f"lab-{time.time_ns()}")
    good = await _joined(ada, room)
    admin = await Someone.admin(ada.server)
    with contextlib.ExitStack() as stack:
        for _ in range(STUBBORN):
            stack.enter_context(await asyncio.to_thread(_stubborn, ada, room))
        async with asyncio.timeout(10):
            while await _metric(admin, "workroom_sockets{") <= STUBBORN:  # noqa: ASYNC110 - it asks another process
                await asyncio.sleep(0.1)
        began = time.monotonic()
        before = _megabytes(ada.server)
        hearing = asyncio.create_task(_numbers(good, SAID - 1))
        taken: list[float] = []
        for number in range(SAID):
            started = time.perf_counter()
            await _says(ada, room, f"{number} {'x' * LENGTH}")
            taken.append(time.perf_counter() - started)
        assert await asyncio.wait_for(hearing, 10) == list(range(SAID))
        grown = _megabytes(ada.server) - before
        print(f"{STUBBORN} sockets: slowest message {max(taken) * 1000:.0f} ms, server grew by {grown:.0f} MB")
        assert max(taken) < 2.0
        assert grown < 200, "what waits is kept once for all of them"
        answering = asyncio.create_task(_numbers(good, -1))
        while (left := await _metric(admin, "workroom_sockets{")) > 1:
            assert time.monotonic() - began < 60, f"{left} are still there"
            await asyncio.sleep(0.5)
        print(f"all dropped after {time.monotonic() - began:.0f} s")
        assert not answering.done()
        answering.cancel()
    await admin.close()
    await good.close()


def _stubborn(someone: Someone, room: str) -> socket.socket:
    """A connection that asks to join a room, and never reads another byte."""
    made = socket.create_connection(("127.0.0.1", someone.server.port))
    made.sendall(
        b"GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
        b"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    )
    assert made.recv(12) == b"HTTP/1.1 101"
    made.sendall(_frame("40" + orjson.dumps({"token": someone.token}).decode()))
    made.sendall(_frame("42" + orjson.dumps(["room:join", {"room": room}]).decode()))
    return made


def _frame(text: str) -> bytes:
    """A text frame, masked with nothing."""
    return b"\x81\xfe" + len(text.encode()).to_bytes(2, "big") + bytes(4) + text.encode()


async def _metric(someone: Someone, name: str) -> float:
    text = (await someone.http.get("/metrics")).text
    return next(float(line.split()[-1]) for line in text.splitlines() if line.startswith(name))


def _megabytes(server: LiveServer) -> float:
    lines = (server.proc / "status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:")) / 1024


def _memory(server: LiveServer) -> int:
    lines = (server.proc / "status").read_text().splitlines()
    return next(int(line.split()[1]) * 1_000 for line in lines if line.startswith("VmRSS"))


@pytest.mark.full
async def test_sockets_that_left_give_their_memory_back(ada: Someone) -> None:
    """Each leaves about 11 kB of objects that refer to each other, which only the garbage collector frees."""
    room = await ada.makes_room(f"lab-{time.time_ns()}")

    async def come_and_go(count: int) -> None:
        for _ in range(0, count, 100):
            sockets = await asyncio.gather(*(_joined(ada, room) for _ in range(100)))
            await asyncio.gather(*(one.close() for one in sockets))

    await come_and_go(1_000)  # the garbage collector runs after a thousand closed ones at the latest
    before = _memory(ada.server)
    await come_and_go(CAME_AND_WENT)
    grown = _memory(ada.server) - before
    assert grown < CAME_AND_WENT * 4_000, f"{grown / 1e6:.0f} MB"
