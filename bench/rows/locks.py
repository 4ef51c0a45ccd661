"""P5-lock: how long it takes to acquire a lock."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from statistics import median

import httpx2

from bench.environment import Environment
from bench.live_processes import RestClient, workroom_server
from bench.row import Group, Row, measured

ROUNDS, LOCKS = 3, 300
MILLISECONDS = 3
LOCK = "/api/rooms/bench/locks/trajectory"


def measure(environment: Environment) -> Iterator[Row]:
    """A lock acquired by REST on an idle server, and released again, one after the other; the acquiring is timed.

    The floor is a cheap request for the same room (`GET state`): authentication, the room's rights, one read and no
    commit. A lock needs one commit more. The medians of the rounds' p50 count.
    """
    ours: list[float] = []
    floor: list[float] = []
    for _ in range(environment.rounds(ROUNDS)):
        with workroom_server() as (address, _folder):
            acquired, read = asyncio.run(_times(address, environment.size(LOCKS)))
        ours.append(acquired)
        floor.append(read)
    value = median(ours)
    what, target = "lock acquired by REST, p50", f"≤ {MILLISECONDS}"
    yield measured("P5-lock", what, value, "ms", median(floor), target=target, met=value <= MILLISECONDS)


async def _times(address: str, rounds: int) -> tuple[float, float]:
    async with httpx2.AsyncClient(base_url=address, trust_env=False, timeout=60) as http:
        await RestClient.with_room(http)
        acquired: list[float] = []
        read: list[float] = []
        for _ in range(rounds + 20):
            started = time.perf_counter()
            granted = await http.post(f"{LOCK}/acquire", json={"client": "bench", "message": "measuring"})
            acquired.append(time.perf_counter() - started)
            assert granted.status_code == 200, granted.text
            released = await http.post(f"{LOCK}/release", json={"token": granted.json()["token"]})
            assert released.status_code == 204, released.text
            started = time.perf_counter()
            await http.get("/api/rooms/bench/state")
            read.append(time.perf_counter() - started)
    return median(acquired[20:]) * 1000, median(read[20:]) * 1000


GROUP = Group(("P5-lock",), measure)
