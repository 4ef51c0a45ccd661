"""P3 and P4: jobs through REST, push and remote workers."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from functools import partial
from statistics import median, quantiles
from typing import Any

import httpx2
import socketio

from bench.environment import Environment
from bench.live_processes import RestClient, running, workroom_server
from bench.row import Group, Row, measured

ROUNDS, ROUNDTRIPS, TURN, WARM_UP = 3, 1_000, 100, 50
TIMES_FLOOR_P50, TIMES_FLOOR_P95 = 1.6, 1.75
JOBS, CHUNK, SLOTS, PER_SECOND = 6_000, 500, 32, 1_500
_Roundtrips = Callable[[int], Awaitable[list[float]]]  # runs so many jobs one by one; the milliseconds of each
NOOP = "/api/rooms/bench/extensions/modifiers/Noop"


def measure_roundtrips(environment: Environment) -> Iterator[Row]:
    """From a submit by REST to its result by socket, one job at a time, with a bare socket worker in its own process.

    The floor is a bare echo with the same frameworks and the same messages (REST submit, push, `running`, `completed`,
    push) that writes one row and updates it: two commits, no accounts, no rooms, no schema, no queue
    (`bench/echo_server.py`). Both servers run at once and take turns of 100 jobs, because the machine's speed changes
    from one second to the next. Shorter turns would fill p95 with the first jobs of each turn, which run with cold
    caches. 3 rounds with fresh servers; the medians of the rounds' p50 and p95 count.
    """
    ours: list[list[float]] = []
    floor: list[list[float]] = []
    for _ in range(environment.rounds(ROUNDS)):
        with (
            environment.database() as url,
            running("bench.echo_server", url, ready="listens at") as echo,
            workroom_server() as (address, _folder),
        ):
            times, floor_times = asyncio.run(_in_turns(address, echo, environment.size(ROUNDTRIPS)))
            ours.append(times)
            floor.append(floor_times)
    for name, share, limit in (("P3", 0.5, TIMES_FLOOR_P50), ("P3-p95", 0.95, TIMES_FLOOR_P95)):
        value = median(quantile(times, share) for times in ours)
        beside = median(quantile(times, share) for times in floor)
        what, target = f"submit to result by push, idle, p{share * 100:g}", f"≤ {limit} x floor"
        yield measured(name, what, value, "ms", beside, target=target, met=value <= limit * beside)


def measure_rate(environment: Environment) -> Iterator[Row]:
    """No-op jobs through one server process and two remote workers with 32 slots each, submitted 500 at a time.

    From the first submission until the counters show that all have completed. There is no floor.
    """
    jobs = environment.size(JOBS)
    rates: list[float] = []
    for _ in range(environment.rounds(ROUNDS)):
        with workroom_server() as (address, _folder):
            rates.append(asyncio.run(_rate(address, jobs)))
    value = median(rates)
    what, target = "jobs through REST, push and 2 remote workers", f"≥ {PER_SECOND:,}"
    yield measured("P4", what, value, "jobs/s", target=target, met=value >= PER_SECOND)


async def _in_turns(address: str, echo: str, count: int) -> tuple[list[float], list[float]]:
    times: list[float] = []
    floor_times: list[float] = []
    async with workroom_roundtrips(address) as run, _echo_roundtrips(echo) as run_floor:
        await run(WARM_UP)
        await run_floor(WARM_UP)
        for _ in range(max(1, count // TURN)):
            floor_times += await run_floor(TURN)
            times += await run(TURN)
    return times, floor_times


@asynccontextmanager
async def workroom_roundtrips(address: str) -> AsyncGenerator[_Roundtrips]:
    async with httpx2.AsyncClient(base_url=address, trust_env=False, timeout=60) as http:
        user = await RestClient.with_room(http)
        with running("bench.bare_worker", address, await user.register_worker(1), ready="ready"):
            socket: Any = socketio.AsyncClient(reconnection=False)
            results = _Results(socket)
            await socket.connect(address, auth={"token": user.token}, transports=["websocket"])
            await socket.call("room:join", {"room": "bench"})
            yield partial(results.run, http, f"{NOOP}/submit")
            await socket.disconnect()


@asynccontextmanager
async def _echo_roundtrips(address: str) -> AsyncGenerator[_Roundtrips]:
    async with httpx2.AsyncClient(base_url=address, trust_env=False, timeout=60) as http:
        with running("bench.bare_worker", address, "worker", ready="ready"):
            socket: Any = socketio.AsyncClient(reconnection=False)
            results = _Results(socket)
            await socket.connect(address, auth={"token": "client"}, transports=["websocket"])
            yield partial(results.run, http, "/submit")
            await socket.disconnect()


class _Results:
    """Runs jobs one by one, and waits for the result of each on a socket."""

    def __init__(self, socket: Any) -> None:
        self._completed: set[str] = set()
        self._arrived = asyncio.Event()
        socket.on("job:state_changed", self._changed)

    async def _changed(self, body: dict[str, Any]) -> None:
        if body["status"] == "completed":
            self._completed.add(body["jobId"])
            self._arrived.set()

    async def run(self, http: httpx2.AsyncClient, path: str, count: int) -> list[float]:
        times: list[float] = []
        for number in range(count):
            started = time.perf_counter()
            job = (await http.post(path, json={"data": {"n": number}})).json()["jobId"]
            while job not in self._completed:
                self._arrived.clear()
                await asyncio.wait_for(self._arrived.wait(), 10)
            times.append((time.perf_counter() - started) * 1000)
        return times


async def _rate(address: str, jobs: int) -> float:
    async with httpx2.AsyncClient(base_url=address, trust_env=False, timeout=60) as http:
        user = await RestClient.with_room(http)
        tokens = [await user.register_worker(SLOTS) for _ in range(2)]
        with (
            running("bench.bare_worker", address, tokens[0], ready="ready"),
            running("bench.bare_worker", address, tokens[1], ready="ready"),
        ):
            started = time.perf_counter()
            for first in range(0, jobs, CHUNK):
                data = [{"n": number} for number in range(first, min(first + CHUNK, jobs))]
                answer = await http.post(f"{NOOP}/submit-many", json={"data": data})
                assert answer.status_code == 202, answer.text
            stats = f"{NOOP}/stats".replace("/modifiers", "/room/modifiers")
            while (await http.get(stats)).json()["completedJobs"] < jobs:  # noqa: ASYNC110 - polls another process
                await asyncio.sleep(0.02)
            return jobs / (time.perf_counter() - started)


def quantile(times: list[float], share: float) -> float:
    return quantiles(times, n=100, method="inclusive")[round(share * 100) - 1]


ROUNDTRIP_GROUP = Group(("P3", "P3-p95"), measure_roundtrips)
RATE_GROUP = Group(("P4",), measure_rate)
