"""The worker behind the built-in extensions: one registration, so many warm processes.

`workroom serve` starts it as `python -m workroom.worker.builtin` and tells it what to do on its standard input; it ends
with the server, however the server ends. `workroom pool --built-in` is the same worker for another machine.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
import threading
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any
from uuid import UUID

import orjson

from workroom.client.extension import Extension
from workroom.client.net.http import ApiClient, http_client
from workroom.domain.errors import BadInput, NotSignedIn, WorkroomError
from workroom.domain.jobs.worker_loss import OnWorkerLost
from workroom.worker.loading import extensions_in, load
from workroom.worker.processes.limits import ProcessLimits
from workroom.worker.processes.parent_death import CANNOT_LOAD, NOTHING_TO_DO, die_with_parent
from workroom.worker.processes.warm_pool import WarmProcesses, WarmProcessPool
from workroom.worker.remote.offers import Offer
from workroom.worker.remote.worker import RemoteWorker

log = logging.getLogger("workroom.pool")


@dataclass(frozen=True, slots=True)
class Plan:
    """What to offer, and how to run it."""

    modules: tuple[str, ...]
    size: int
    memory_mb: int | None
    timeout_seconds: float
    nice: int
    jobs_each: int  # before a process is replaced

    @classmethod
    def of(
        cls, modules: Sequence[str], size: int | None, memory_mb: int, timeout: float, jobs_each: int | None
    ) -> Plan:
        """What was given, and what stands for the rest."""
        return cls(tuple(modules), size or os.cpu_count() or 1, memory_mb or None, timeout, 0, jobs_each or 100)

    @property
    def confines(self) -> ProcessLimits:
        return ProcessLimits(self.memory_mb, self.nice, max(1, (os.cpu_count() or 1) // self.size))

    @property
    def sources(self) -> list[str]:
        """The modules, as processes that work in folders of their own find them."""
        return [str(Path(name).resolve()) if name.endswith(".py") else name for name in self.modules]

    def offers(self) -> list[Offer]:
        """All built-in extensions. Importing them here shows mistakes at once, and tells their schemas."""
        found: list[Offer] = []
        for name in self.modules:
            module = load(name)
            options: Mapping[str, Mapping[str, Any]] = getattr(module, "BUILT_IN_OPTIONS", {})
            found += [self._offer(one, options.get(one.__name__, {})) for one in _built_in(module)]
        return found

    def _offer(self, extension: type[Extension], options: Mapping[str, Any]) -> Offer:
        return Offer(
            extension,
            builtin=True,
            isolate=True,
            timeout=options.get("timeout", self.timeout_seconds),
            tries=options.get("tries", 1),
            # What a process had not begun when the pool was lost is safe to begin again; the rest may not be.
            on_worker_lost=OnWorkerLost(options.get("on_worker_lost", OnWorkerLost.REQUEUE_UNSTARTED)),
        )


def _built_in(module: ModuleType) -> Sequence[type[Extension]]:
    """Those that the module lists as BUILT_IN, or else all it defines."""
    listed: Sequence[type[Extension]] | None = getattr(module, "BUILT_IN", None)
    if listed is not None:
        return listed
    with suppress(BadInput):
        return extensions_in(module)
    return ()


async def serve(
    access: ApiClient,
    plan: Plan,
    offers: Sequence[Offer],
    *,
    registered: Callable[[RemoteWorker], None],
    asked_to_end: Callable[[], Awaitable[float | None]],
) -> None:
    """Run jobs until asked to end; then those that run have the seconds that the asking tells."""
    async with WarmProcessPool(plan.size, plan.sources, plan.confines, jobs_each=plan.jobs_each) as stock:
        worker = RemoteWorker(
            access,
            None,
            name="built-in extensions",
            capacity=plan.size,
            apart=WarmProcesses(stock, access.url),
            breaker=False,
        )
        await stock.is_warm()  # nobody is to wait in a job for what is not there yet
        await worker.offer(*offers)
        registered(worker)
        within = await asked_to_end()
        await worker.drain(within)


class _Server:
    """The server that started this process, at the other end of its standard streams."""

    def __init__(self) -> None:
        self.order: dict[str, Any] = orjson.loads(sys.stdin.buffer.readline())
        self._token = str(self.order["token"])
        self._asked: asyncio.Future[float | None] = asyncio.get_running_loop().create_future()

    async def token(self) -> str:
        return self._token

    async def renewed(self, refused: str) -> str:
        if self._token == refused:
            raise NotSignedIn("The server's word for its pool has ended.")
        return self._token

    def listen(self) -> None:
        loop = asyncio.get_running_loop()

        def listening() -> None:
            for line in sys.stdin.buffer:
                loop.call_soon_threadsafe(self._hear, orjson.loads(line))
            os._exit(0)  # the server is gone; the guard sees to the rest

        threading.Thread(target=listening, name="the server's words", daemon=True).start()

    def _hear(self, word: dict[str, Any]) -> None:
        match word:
            case {"token": token}:
                self._token = str(token)
            case {"drain": seconds} if not self._asked.done():
                self._asked.set_result(seconds)
            case _:
                pass

    async def asked_to_end(self) -> float | None:
        return await self._asked

    def tell(self, worker: RemoteWorker) -> None:
        sys.stdout.buffer.write(orjson.dumps({"workerId": str(worker.id), "pid": os.getpid()}) + b"\n")
        sys.stdout.buffer.flush()


async def _run() -> int:
    server = _Server()
    server.listen()
    plan = Plan(**(server.order["plan"] | {"modules": tuple(server.order["plan"]["modules"])}))
    try:
        offers = plan.offers()
    except Exception as error:
        log.error("the built-in extensions cannot be loaded: %s: %s", type(error).__name__, error)
        return CANNOT_LOAD
    if not offers:
        return NOTHING_TO_DO
    url = str(server.order["url"])
    async with http_client(url) as http:
        access = ApiClient(url, http, server)
        if former := server.order.get("former"):
            await _remove_predecessor(access, UUID(former))
        try:
            await serve(access, plan, offers, registered=server.tell, asked_to_end=server.asked_to_end)
        except WorkroomError as error:
            log.error("%s", error.message)
            return 1
    return 0


async def _remove_predecessor(access: ApiClient, former: UUID) -> None:
    """Whoever did this work before was killed: what it held is dealt with now, not when its lease ends."""
    try:
        await access.delete(f"/api/workers/{former}")
    except WorkroomError as error:
        log.debug("worker %s: %s", former, error)


def main() -> None:
    die_with_parent()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s pool: %(message)s", datefmt="%H:%M:%S")
    for noisy in ("httpx2", "httpcore2", "asyncio"):
        logging.getLogger(noisy).setLevel(logging.WARNING)
    code = asyncio.run(_run())
    sys.stdout.flush()
    os._exit(code)  # the thread that listens would hold up the end


if __name__ == "__main__":
    main()
