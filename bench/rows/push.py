"""P3 and P4: jobs through REST, push and remote workers; P9: how soon the server is there."""

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

from bench.live import Visitor, process, workroom_server
from bench.place import Place, throw_away_folder
from bench.row import Group, Row

ROUNDS, TRIPS, TURN, WARM_UP = 3, 1_000, 100, 50
JOBS, PIECE, SLOTS = 6_000, 500, 32
_Trips = Callable[[int], Awaitable[list[float]]]  # how many: how long each took, in milliseconds
NOOP = "/api/rooms/bench/extensions/modifiers/Noop"


def measure_trips(place: Place) -> Iterator[Row]:
    """From a submit by REST to its result by socket, one job at a time, with a bare socket worker in its own process.

    The floor is a bare echo with the same frameworks and the same messages (REST submit, push, `running`, `completed`,
    push) that writes one row and updates it: two commits, no accounts, no rooms, no schema, no queue (`bench/echo.py`).
    Both are up, and take turns of 100 trips, because the machine's speed changes from one second to the next; with
    shorter turns the first trips of each, while memory is still the other's, would make up the slowest twentieth. 3
    rounds with fresh servers; the medians of the rounds' p50 and p95 count.
    """
    ours: list[list[float]] = []
    floor: list[list[float]] = []
    for _ in range(ROUNDS):
        with (
            place.database() as url,
            process("bench.echo", url, says="listens at") as echo,
            workroom_server() as (address, _folder),
        ):
            taken, bare = asyncio.run(_in_turns(address, echo, place.size(TRIPS)))
            ours.append(taken)
            floor.append(bare)
    for name, share, orientation in (("P3", 0.5, 5), ("P3-p95", 0.95, 12)):
        value = median(quantile(times, share) for times in ours)
        beside = median(quantile(times, share) for times in floor)
        yield Row(
            name,
            f"submit to result by push, idle, p{share * 100:g}",
            value,
            "ms",
            beside,
            f"≤ 1.5 x floor (orientation {orientation} ms)",
            value <= 1.5 * beside,
        )


def measure_rate(place: Place) -> Iterator[Row]:
    """No-op jobs through one server process and two remote workers with 32 slots each, submitted 500 at a time.

    From the first submission until the counters say that all have completed. There is no floor.
    """
    jobs = place.size(JOBS)
    rates: list[float] = []
    for _ in range(ROUNDS):
        with workroom_server() as (address, _folder):
            rates.append(asyncio.run(_rate(address, jobs)))
    value = median(rates)
    yield Row("P4", "jobs through REST, push and 2 remote workers", value, "jobs/s", None, "≥ 1,000/s", value >= 1_000)


def measure_start(_place: Place) -> Iterator[Row]:
    """From the command to the line that tells the address, on a data folder that is there already; the median of 3."""
    times: list[float] = []
    with throw_away_folder() as folder:
        arguments = ("workroom.cli", "serve", "--port", "0", "--data", str(folder))
        for _ in range(4):
            started = time.perf_counter()
            with process(*arguments, says="listens at"):
                times.append(time.perf_counter() - started)
    value = median(times[1:])
    yield Row("P9", "second start of the server to ready", value, "s", None, "≤ 3", value <= 3)


async def _in_turns(address: str, echo: str, trips: int) -> tuple[list[float], list[float]]:
    taken: list[float] = []
    bare: list[float] = []
    async with at_ours(address) as our_trips, _at_the_echo(echo) as echo_trips:
        await our_trips(WARM_UP)
        await echo_trips(WARM_UP)
        for _ in range(max(1, trips // TURN)):
            bare += await echo_trips(TURN)
            taken += await our_trips(TURN)
    return taken, bare


@asynccontextmanager
async def at_ours(address: str) -> AsyncGenerator[_Trips]:
    async with httpx2.AsyncClient(base_url=address, trust_env=False, timeout=60) as http:
        visitor = await Visitor.enters(http)
        with process("bench.bare_worker", address, await visitor.registers(1), says="ready"):
            client: Any = socketio.AsyncClient(reconnection=False)
            results = _Results(client)
            await client.connect(address, auth={"token": visitor.token}, transports=["websocket"])
            await client.call("room:join", {"room": "bench"})
            yield partial(results.trips, http, f"{NOOP}/submit")
            await client.disconnect()


@asynccontextmanager
async def _at_the_echo(address: str) -> AsyncGenerator[_Trips]:
    async with httpx2.AsyncClient(base_url=address, trust_env=False, timeout=60) as http:
        with process("bench.bare_worker", address, "worker", says="ready"):
            client: Any = socketio.AsyncClient(reconnection=False)
            results = _Results(client)
            await client.connect(address, auth={"token": "client"}, transports=["websocket"])
            yield partial(results.trips, http, "/submit")
            await client.disconnect()


class _Results:
    """Waits for the result of the one job that is under way."""

    def __init__(self, client: Any) -> None:
        self._completed: set[str] = set()
        self._come = asyncio.Event()
        client.on("job:state_changed", self._changed)

    async def _changed(self, body: dict[str, Any]) -> None:
        if body["status"] == "completed":
            self._completed.add(body["jobId"])
            self._come.set()

    async def trips(self, http: httpx2.AsyncClient, path: str, count: int) -> list[float]:
        times: list[float] = []
        for number in range(count):
            started = time.perf_counter()
            job = (await http.post(path, json={"data": {"n": number}})).json()["jobId"]
            while job not in self._completed:
                self._come.clear()
                await asyncio.wait_for(self._come.wait(), 10)
            times.append((time.perf_counter() - started) * 1000)
        return times


async def _rate(address: str, jobs: int) -> float:
    async with httpx2.AsyncClient(base_url=address, trust_env=False, timeout=60) as http:
        visitor = await Visitor.enters(http)
        tokens = [await visitor.registers(SLOTS) for _ in range(2)]
        with (
            process("bench.bare_worker", address, tokens[0], says="ready"),
            process("bench.bare_worker", address, tokens[1], says="ready"),
        ):
            started = time.perf_counter()
            for first in range(0, jobs, PIECE):
                data = [{"n": number} for number in range(first, min(first + PIECE, jobs))]
                answer = await http.post(f"{NOOP}/submit-many", json={"data": data})
                assert answer.status_code == 202, answer.text
            stats = f"{NOOP}/stats".replace("/modifiers", "/room/modifiers")
            while (await http.get(stats)).json()["completedJobs"] < jobs:  # noqa: ASYNC110 - asks another process
                await asyncio.sleep(0.02)
            return jobs / (time.perf_counter() - started)


def quantile(times: list[float], share: float) -> float:
    return quantiles(times, n=100, method="inclusive")[round(share * 100) - 1]


TRIPS_GROUP = Group(("P3", "P3-p95"), measure_trips)
RATE_GROUP = Group(("P4",), measure_rate)
START_GROUP = Group(("P9",), measure_start)
