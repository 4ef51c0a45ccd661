"""The worker of the built-in extensions: one registration, several warm processes.

`workroom serve` starts it as `python -m workroom.worker.builtin` and sends its plan on the standard input. It ends when
the server ends. `workroom pool --built-in` runs the same worker on another machine.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
import threading
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any
from uuid import UUID

import orjson

from workroom import logs
from workroom.client.extension import Extension
from workroom.client.net.http import ApiClient, http_client
from workroom.confinement.memory_privacy import protect_memory
from workroom.confinement.policy import SYSTEM, Mode, Policy, holds, overlaps, python_paths
from workroom.domain.errors import BadInput, MissingPackage, NotSignedIn, WorkroomError
from workroom.domain.jobs.worker_loss import OnWorkerLost
from workroom.extras import missing_of, missing_package, naming_extras, require
from workroom.logs import get_logger
from workroom.worker.loading import extensions_in, load
from workroom.worker.processes.limits import ProcessLimits
from workroom.worker.processes.parent_death import CANNOT_LOAD, NOTHING_TO_DO, die_with_parent
from workroom.worker.processes.warm_pool import WarmProcessExecutor, WarmProcessPool
from workroom.worker.remote.offers import Offer
from workroom.worker.remote.worker import RemoteWorker

log = get_logger("workroom.worker.builtin")


@dataclass(frozen=True, slots=True)
class BuiltinPlan:
    """Which modules to offer, and the limits of the processes that run them."""

    modules: tuple[str, ...]
    size: int
    memory_mb: int | None
    timeout_seconds: float
    nice: int
    jobs_each: int  # jobs that a process runs before it is replaced
    confine: Mode = "auto"
    network: bool = False  # whether jobs may open Internet sockets
    readable: tuple[str, ...] = ()  # what jobs may read besides Python and its libraries
    writable: tuple[str, ...] = ()  # what jobs may change besides their own folder
    private: tuple[str, ...] = ()  # folders that hold secrets of the server

    @classmethod
    def of(
        cls,
        modules: Sequence[str],
        size: int | None,
        memory_mb: int,
        timeout: float,
        jobs_each: int | None,
        **confinement: Any,
    ) -> BuiltinPlan:
        """A plan from options, with defaults for those that are None."""
        size = size or os.cpu_count() or 1
        return cls(tuple(modules), size, memory_mb or None, timeout, 0, jobs_each or 100, **confinement)

    @classmethod
    def from_message(cls, message: dict[str, Any]) -> BuiltinPlan:
        lists: Any = {name: tuple(message[name]) for name in ("modules", "readable", "writable", "private")}
        return cls(**(message | lists))

    @property
    def policy(self) -> Policy:
        """The confinement of the processes. BadInput if a setting opens a folder with the server's secrets."""
        private = [Path(one) for one in self.private]
        for path in (*self.readable, *self.writable):
            if overlaps(Path(path), private):
                raise BadInput(
                    f"pool_readable and pool_writable must not open {path}: it contains the data folder with the "
                    "server's secrets, or lies in it. Name a folder beside it."
                )
        hidden = [Path.home(), Path(tempfile.gettempdir()), *private]
        readable = (*python_paths(hidden, self.sources), *self.readable)
        return Policy(self.confine, self.network, readable, self.writable)

    @property
    def limits(self) -> ProcessLimits:
        return ProcessLimits(self.memory_mb, self.nice, max(1, (os.cpu_count() or 1) // self.size))

    @property
    def sources(self) -> list[str]:
        """The modules; files as absolute paths, since each process has a working folder of its own."""
        return [str(Path(name).resolve()) if name.endswith(".py") else name for name in self.modules]

    def offers(self) -> list[Offer]:
        """The offers of the built-in extensions that can run here; MissingPackage if those of a module cannot.

        Importing them here raises errors early, and yields their schemas.
        """
        found: list[Offer] = []
        for name in self.modules:
            with naming_extras():
                module = load(name)
            require(getattr(module, "NEEDS", ()), name)
            options: Mapping[str, Mapping[str, Any]] = getattr(module, "BUILT_IN_OPTIONS", {})
            for extension in _built_in(module):
                settings = options.get(extension.__name__, {})
                if missing := missing_of(settings.get("needs", ())):
                    log.info("not offered: %s", missing_package(missing, extension.__name__).message)
                else:
                    found.append(self._offer(extension, settings))
        return found

    def _offer(self, extension: type[Extension], options: Mapping[str, Any]) -> Offer:
        return Offer(
            extension,
            builtin=True,
            isolate=True,
            timeout=options.get("timeout", self.timeout_seconds),
            tries=options.get("tries", 1),
            # A job that had not started when the pool was lost is safe to run again; a started one may not be.
            on_worker_lost=OnWorkerLost(options.get("on_worker_lost", OnWorkerLost.REQUEUE_UNSTARTED)),
        )


def _built_in(module: ModuleType) -> Sequence[type[Extension]]:
    """The extensions that the module lists as BUILT_IN, else all that it defines."""
    listed: Sequence[type[Extension]] | None = getattr(module, "BUILT_IN", None)
    if listed is not None:
        return listed
    with suppress(BadInput):
        return extensions_in(module)
    return ()


async def serve(
    access: ApiClient,
    plan: BuiltinPlan,
    offers: Sequence[Offer],
    *,
    registered: Callable[[RemoteWorker], None],
    stop_requested: Callable[[], Awaitable[float | None]],
    make_worker: Callable[..., RemoteWorker] = RemoteWorker,
) -> None:
    """Run jobs until a stop is requested, then drain for as many seconds as the request allows."""
    pool = WarmProcessPool(plan.size, plan.sources, plan.limits, plan.policy, access.url, jobs_each=plan.jobs_each)
    async with pool as processes:
        worker = make_worker(
            access,
            None,
            name="built-in extensions",
            capacity=plan.size,
            process_executor=WarmProcessExecutor(processes, access.url),
            breaker=False,
        )
        await processes.wait_until_warm()  # a job must not be assigned before a process can run it
        await worker.offer(*offers)
        registered(worker)
        within = await stop_requested()
        await worker.drain(within)


class _ParentServer:
    """The server that started this process, connected by the standard streams."""

    def __init__(self) -> None:
        self.startup: dict[str, Any] = orjson.loads(sys.stdin.buffer.readline())
        self._token = str(self.startup["token"])
        self._stop: asyncio.Future[float | None] = asyncio.get_running_loop().create_future()

    async def token(self) -> str:
        return self._token

    async def renewed(self, refused: str) -> str:
        if self._token == refused:
            raise NotSignedIn("The token of the server's pool has expired.")
        return self._token

    def listen(self) -> None:
        loop = asyncio.get_running_loop()

        def read_messages() -> None:
            for line in sys.stdin.buffer:
                loop.call_soon_threadsafe(self._on_message, orjson.loads(line))
            os._exit(0)  # the server is dead; the reaper kills the job processes

        threading.Thread(target=read_messages, name="server messages", daemon=True).start()

    def _on_message(self, message: dict[str, Any]) -> None:
        match message:
            case {"token": token}:
                self._token = str(token)
            case {"drain": seconds} if not self._stop.done():
                self._stop.set_result(seconds)
            case _:
                pass

    async def stop_requested(self) -> float | None:
        return await self._stop

    def report_names(self, offers: Sequence[Offer]) -> None:
        """The server reserves the names from now on, before this worker has registered."""
        self._send_message({"names": [offer.identity for offer in offers]})

    def report_registered(self, worker: RemoteWorker) -> None:
        self._send_message({"workerId": str(worker.id), "pid": os.getpid()})

    def _send_message(self, message: dict[str, Any]) -> None:
        sys.stdout.buffer.write(orjson.dumps(message) + b"\n")
        sys.stdout.buffer.flush()


async def _run() -> int:
    server = _ParentServer()
    logs.configure(*server.startup["log"])
    server.listen()
    plan = BuiltinPlan.from_message(server.startup["plan"])
    try:
        offers = plan.offers()
        if open_to_jobs := [path for path in (*SYSTEM, *plan.policy.readable) if holds(Path(path), plan.private)]:
            log.warning("built-in jobs can read the data folder, because it is in %s: move it", open_to_jobs[0])
    except MissingPackage as error:
        log.error("the built-in extensions cannot run: %s", error.message)
        return CANNOT_LOAD
    except Exception as error:
        log.error("the built-in extensions cannot be loaded: %s: %s", type(error).__name__, error)
        return CANNOT_LOAD
    if not offers:
        return NOTHING_TO_DO
    server.report_names(offers)
    url = str(server.startup["url"])
    async with http_client(url) as http:
        access = ApiClient(url, http, server)
        if former := server.startup.get("former"):
            await _remove_predecessor(access, UUID(former))
        try:
            await serve(access, plan, offers, registered=server.report_registered, stop_requested=server.stop_requested)
        except WorkroomError as error:
            log.error("%s", error.message)
            return 1
    return 0


async def _remove_predecessor(access: ApiClient, former: UUID) -> None:
    """The previous worker process was killed: release its jobs now, not when its lease ends."""
    try:
        await access.delete(f"/api/workers/{former}")
    except WorkroomError as error:
        log.debug("previous worker %s not removed: %s", former, error)


def main() -> None:
    die_with_parent()
    protect_memory()
    code = asyncio.run(_run())
    sys.stdout.flush()
    os._exit(code)  # the reading thread would delay the exit


if __name__ == "__main__":
    main()
