"""P7: thousands of sockets that only listen, and jobs that go through meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import httpx2
import psutil

from bench.live import Visitor, process, workroom_server
from bench.place import Place
from bench.row import Group, Row
from bench.rows.push import at_ours, quantile

SOCKETS, TRIPS = 5_000, 400
KILOBYTES, MILLISECONDS = 100.0, 250.0


def measure(place: Place) -> Iterator[Row]:
    """5,000 people's sockets, connected and answering pings; then 400 jobs one after the other through a bare worker.

    Memory: by how much the server's process has grown, for each socket. Dispatch: the slowest hundredth of the jobs,
    from submit to result. There is no floor.
    """
    count = place.size(SOCKETS)
    with workroom_server() as (address, folder):
        grown, times = asyncio.run(_measure(address, folder, count))
    each = grown * 1024 / count
    what = f"server memory for each of {count:,} idle sockets"
    yield Row("P7", what, each, "KB", None, f"≤ {KILOBYTES:g}", each <= KILOBYTES)
    slowest = quantile(times, 0.99)
    what = "submit to result by push meanwhile, p99"
    yield Row("P7-dispatch", what, slowest, "ms", None, f"≤ {MILLISECONDS:g}", slowest <= MILLISECONDS)


async def _measure(address: str, folder: Path, count: int) -> tuple[float, list[float]]:
    async with at_ours(address) as trips:
        await trips(100)
        before = _megabytes(folder)
        async with httpx2.AsyncClient(base_url=address, trust_env=False, timeout=60) as http:
            guest = await Visitor.signs_in(http, "listener")
        with process("bench.idle_sockets", address, guest.token, str(count), says="ready"):
            await asyncio.sleep(2)
            grown = _megabytes(folder) - before
            return grown, await trips(TRIPS)


def _megabytes(folder: Path) -> float:
    """What the server of this folder takes up in memory."""
    server = next(one for one in psutil.process_iter() if "serve" in one.cmdline() and str(folder) in one.cmdline())
    return server.memory_info().rss / 2**20


GROUP = Group(("P7", "P7-dispatch"), measure)
