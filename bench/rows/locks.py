"""P5-lock: how long it takes to get a lock."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from statistics import median

import httpx2

from bench.live import Visitor, workroom_server
from bench.place import Place
from bench.row import Group, Row

ROUNDS, TRIPS = 3, 300
MILLISECONDS = 3
LOCK = "/api/rooms/bench/locks/trajectory"


def measure(place: Place) -> Iterator[Row]:
    """A lock by REST: acquired, timed, and released again, one after the other on an idle server.

    The floor is the cheapest request that asks the same for the room (`GET state`): signed in, let in, one read and no
    commit. The lock has a commit more. The medians of the rounds' p50 count.
    """
    ours: list[float] = []
    floor: list[float] = []
    for _ in range(ROUNDS):
        with workroom_server() as (address, _folder):
            taken, read = asyncio.run(_trips(address, place.size(TRIPS)))
        ours.append(taken)
        floor.append(read)
    value = median(ours)
    yield Row(
        "P5-lock", "lock acquired by REST, p50", value, "ms", median(floor), f"≤ {MILLISECONDS}", value <= MILLISECONDS
    )


async def _trips(address: str, trips: int) -> tuple[float, float]:
    async with httpx2.AsyncClient(base_url=address, trust_env=False, timeout=60) as http:
        await Visitor.enters(http)
        taken: list[float] = []
        read: list[float] = []
        for _ in range(trips + 20):
            started = time.perf_counter()
            granted = await http.post(f"{LOCK}/acquire", json={"client": "bench", "message": "measuring"})
            taken.append(time.perf_counter() - started)
            assert granted.status_code == 200, granted.text
            released = await http.post(f"{LOCK}/release", json={"token": granted.json()["token"]})
            assert released.status_code == 204, released.text
            started = time.perf_counter()
            await http.get("/api/rooms/bench/state")
            read.append(time.perf_counter() - started)
    return median(taken[20:]) * 1000, median(read[20:]) * 1000


GROUP = Group(("P5-lock",), measure)
