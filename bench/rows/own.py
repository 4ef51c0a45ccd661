"""P4-own: the same path with our own worker, `workroom worker`, and our own client."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Generator, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from typing import Any

from bench.live import process, workroom_server
from bench.place import Place
from bench.row import Group, Row
from workroom import AsyncRoom, Category, Extension

NOOP = Path(__file__).parents[1] / "noop.py"
WORKERS, SLOTS, ROUNDS = 2, 32, 3
JOBS, PIECE, TRIPS, REGISTRATIONS = 6_000, 500, 200, 20
EXTENSION = "/api/rooms/bench/extensions/modifiers/Noop"


class Another(Extension):
    category = Category.MODIFIER

    def run(self, vis: Any, **kwargs: Any) -> None:
        return None


def measure(place: Place) -> Iterator[Row]:
    """No-op jobs through one server process and two `workroom worker` processes of 32 threads, submitted 500 at a time.

    From the first submission until the counters say that all have completed. Then, with the same two workers, idle: how
    long it takes our client to register an extension, to submit a job, to hear of its completion after that, and the
    whole way; one at a time, medians of the rounds' medians. There is no floor.
    """
    rates: list[float] = []
    times: dict[str, list[float]] = {}
    for _ in range(ROUNDS):
        with _server_with_workers() as address:
            rate, measured = asyncio.run(_measured(address, place))
        rates.append(rate)
        for name, value in measured.items():
            times.setdefault(name, []).append(value)
    value = median(rates)
    yield Row(
        "P4-own", f"the same with {WORKERS} `workroom worker`", value, "jobs/s", None, "≥ 1,000/s", value >= 1_000
    )
    for name, what in (
        ("register", "an extension registered, p50"),
        ("submit", "a job submitted, p50"),
        ("complete", "from submitted to its result heard, idle, p50"),
        ("trip", "the whole way with our client and worker, idle, p50"),
    ):
        yield Row(f"P4-own-{name}", what, median(times[name]), "ms", None, "printed", True)


@contextmanager
def _server_with_workers() -> Generator[str]:
    with ExitStack() as stack:
        address, _folder = stack.enter_context(workroom_server())
        for number in range(WORKERS):
            options = ("--room", "bench", "--url", address, "--user", f"worker{number}", "--concurrency", str(SLOTS))
            stack.enter_context(process("workroom.cli", "worker", str(NOOP), *options, says="offers"))
        yield address


async def _measured(address: str, place: Place) -> tuple[float, dict[str, float]]:
    async with AsyncRoom("bench", address, "bench") as room:
        rate = await _rate(room, place.size(JOBS))
        return rate, await _trips(room, place.size(TRIPS)) | await _registrations(room, place.size(REGISTRATIONS))


async def _rate(room: AsyncRoom, jobs: int) -> float:
    started = time.perf_counter()
    for first in range(0, jobs, PIECE):
        data = [{"n": number} for number in range(first, min(first + PIECE, jobs))]
        await room.access.post(f"{EXTENSION}/submit-many", {"data": data})
    stats = f"{EXTENSION}/stats".replace("/modifiers", "/room/modifiers")
    while (await room.access.get(stats))["completedJobs"] < jobs:  # noqa: ASYNC110 - asks another process
        await asyncio.sleep(0.02)
    return jobs / (time.perf_counter() - started)


async def _trips(room: AsyncRoom, count: int) -> dict[str, float]:
    times: list[tuple[float, float]] = []
    for number in range(count + 20):
        started = time.perf_counter()
        job = await room.run("modifiers/Noop", n=number)
        submitted = time.perf_counter()
        assert (await job.wait(10)).last_status == "completed"
        times.append((submitted - started, time.perf_counter() - submitted))
    counted = times[20:]
    return {
        "submit": 1000 * median(submit for submit, _ in counted),
        "complete": 1000 * median(complete for _, complete in counted),
        "trip": 1000 * median(submit + complete for submit, complete in counted),
    }


async def _registrations(room: AsyncRoom, count: int) -> dict[str, float]:
    times: list[float] = []
    for _ in range(max(2, count)):
        started = time.perf_counter()
        await room.register_extension(Another)
        times.append(time.perf_counter() - started)
        await room.unregister_extension(Another)
    return {"register": 1000 * median(times)}


GROUP = Group(("P4-own", "P4-own-register", "P4-own-submit", "P4-own-complete", "P4-own-trip"), measure)
