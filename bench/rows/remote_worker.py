"""P4-worker: the same as P4 with `workroom worker` and the Python client."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Generator, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from typing import Any

from bench.environment import Environment
from bench.live_processes import running, workroom_server
from bench.row import Group, Row, measured, printed
from workroom import AsyncRoom, Category, Extension

NOOP = Path(__file__).parents[1] / "noop_extension.py"
WORKERS, SLOTS, ROUNDS = 2, 32, 3
JOBS, CHUNK, ROUNDTRIPS, REGISTRATIONS, PER_SECOND = 6_000, 500, 200, 20, 1_000
EXTENSION = "/api/rooms/bench/extensions/modifiers/Noop"


class Another(Extension):
    category = Category.MODIFIER

    def run(self, vis: Any, **kwargs: Any) -> None:
        return None


def measure(environment: Environment) -> Iterator[Row]:
    """No-op jobs through one server process and two `workroom worker` processes of 32 threads, submitted 500 at a time.

    From the first submission until the counters show that all have completed. Then, with the same two workers, idle:
    how long the Python client takes to register an extension, to submit a job, to receive its result after that, and
    the round trip; one at a time, medians of the rounds' medians. There is no floor.
    """
    rates: list[float] = []
    times: dict[str, list[float]] = {}
    for _ in range(environment.rounds(ROUNDS)):
        with _server_with_workers() as address:
            rate, medians = asyncio.run(_measure(address, environment))
        rates.append(rate)
        for name, value in medians.items():
            times.setdefault(name, []).append(value)
    value = median(rates)
    what, target = f"the same with {WORKERS} `workroom worker`", f"≥ {PER_SECOND:,}"
    yield measured("P4-worker", what, value, "jobs/s", target=target, met=value >= PER_SECOND)
    for name, what in (
        ("register", "an extension registered, p50"),
        ("submit", "a job submitted, p50"),
        ("complete", "from submitted to its result received, idle, p50"),
        ("roundtrip", "round trip with the Python client and `workroom worker`, idle, p50"),
    ):
        yield printed(f"P4-worker-{name}", what, median(times[name]), "ms")


@contextmanager
def _server_with_workers() -> Generator[str]:
    with ExitStack() as stack:
        address, _folder = stack.enter_context(workroom_server())
        for _ in range(WORKERS):
            options = ("--room", "bench", "--url", address, "--user", "bench", "--concurrency", str(SLOTS))
            stack.enter_context(running("workroom.cli", "worker", str(NOOP), *options, ready="offers"))
        yield address


async def _measure(address: str, environment: Environment) -> tuple[float, dict[str, float]]:
    async with AsyncRoom("bench", address, "bench") as room:
        rate = await _rate(room, environment.size(JOBS))
        medians = await _roundtrips(room, environment.size(ROUNDTRIPS))
        return rate, medians | await _registrations(room, environment.size(REGISTRATIONS))


async def _rate(room: AsyncRoom, jobs: int) -> float:
    started = time.perf_counter()
    for first in range(0, jobs, CHUNK):
        data = [{"n": number} for number in range(first, min(first + CHUNK, jobs))]
        await room.access.post(f"{EXTENSION}/submit-many", {"data": data})
    stats = f"{EXTENSION}/stats".replace("/modifiers", "/room/modifiers")
    while (await room.access.get(stats))["completedJobs"] < jobs:  # noqa: ASYNC110 - polls another process
        await asyncio.sleep(0.02)
    return jobs / (time.perf_counter() - started)


async def _roundtrips(room: AsyncRoom, count: int) -> dict[str, float]:
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
        "roundtrip": 1000 * median(submit + complete for submit, complete in counted),
    }


async def _registrations(room: AsyncRoom, count: int) -> dict[str, float]:
    times: list[float] = []
    for _ in range(max(2, count)):
        started = time.perf_counter()
        await room.register_extension(Another)
        times.append(time.perf_counter() - started)
        await room.unregister_extension(Another)
    return {"register": 1000 * median(times)}


PARTS = ("P4-worker-register", "P4-worker-submit", "P4-worker-complete", "P4-worker-roundtrip")
GROUP = Group(("P4-worker", *PARTS), measure)
