"""A stock of warm processes: started ahead, used several times, replaced when they end or are used up."""

from __future__ import annotations

import asyncio
import logging
import random
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Self

from workroom.domain.errors import Unavailable
from workroom.domain.jobs.backoff import backoff_seconds
from workroom.domain.jobs.outcomes import Outcome
from workroom.worker.execution.execution import Execution
from workroom.worker.execution.executors import with_timeout
from workroom.worker.execution.outcome import failure, stopped
from workroom.worker.execution.tasks import Task
from workroom.worker.processes.limits import ProcessLimits
from workroom.worker.processes.one_shot import NOTICE, job_message
from workroom.worker.processes.process import JobProcess
from workroom.worker.processes.reaper import ProcessReaper

log = logging.getLogger("workroom.pool")

_WARM_WITHIN = 60.0
_LONGEST_PAUSE = 10.0


class WarmProcessPool:
    """`async with` it. There are `size` places; each always has a process, or one on its way."""

    def __init__(self, size: int, modules: Sequence[str], confines: ProcessLimits, *, jobs_each: int) -> None:
        self.size = size
        self._modules = modules
        self._confines = confines
        self._jobs_each = jobs_each
        self._idle: asyncio.Queue[JobProcess] = asyncio.Queue()
        self._guard: ProcessReaper | None = None
        self._keepers: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Self:
        self._guard = ProcessReaper()
        self._keepers = [asyncio.create_task(self._supervise(), name=f"place {n}") for n in range(self.size)]
        return self

    async def __aexit__(self, *_: object) -> None:
        for keeper in self._keepers:
            keeper.cancel()
        await asyncio.gather(*self._keepers, return_exceptions=True)
        assert self._guard is not None
        await asyncio.to_thread(self._guard.close)

    async def is_warm(self) -> None:
        """Wait for the first process; Unavailable when none comes to work."""
        self._idle.put_nowait(await self._take())

    async def perform(self, execution: Execution, task: Task, url: str) -> Outcome:
        """In the next idle process. The time it may take counts from when there is one."""
        try:
            process = await self._take()
        except Unavailable as error:
            return failure(error)
        if execution.stop is not None:
            self._idle.put_nowait(process)
            return stopped(execution)
        process.when_idle = lambda why: self._put_back(process, why)
        return await with_timeout(
            execution, process.perform(execution, job_message(execution, task.offer, url)), notice=NOTICE
        )

    async def _take(self) -> JobProcess:
        try:
            async with asyncio.timeout(_WARM_WITHIN):
                while not (process := await self._idle.get()).is_alive:
                    pass
                return process
        except TimeoutError:
            raise Unavailable("No process of the pool could be started; its log says why.") from None

    def _put_back(self, process: JobProcess, why_not: str | None) -> None:
        if why_not is None and process.jobs < self._jobs_each:
            self._idle.put_nowait(process)
            return
        log.debug("process %d is replaced: %s", process.pid, why_not or "it has run its jobs")
        process.over.set()

    async def _supervise(self) -> None:
        """Keep one place filled."""
        failures = 0
        while True:
            try:
                failures = 0 if await self._run_one() else failures + 1
            except OSError as error:
                log.error("no process can be started: %s", error)
                failures += 1
            if failures:
                luck = random.random()  # noqa: S311 - spreads tries, guards nothing
                await asyncio.sleep(backoff_seconds(failures, 0.5, _LONGEST_PAUSE, luck))

    async def _run_one(self) -> bool:
        """One process from its start to its end; whether it came to work at all."""
        folder = Path(tempfile.mkdtemp(prefix="workroom-job-"))
        try:
            process = await JobProcess.start(environment=self._confines.environment(folder), folder=folder)
            return await self._serve(process, folder)
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    async def _serve(self, process: JobProcess, folder: Path) -> bool:
        assert self._guard is not None
        self._guard.watch(process.pid, folder)
        try:
            await process.warm_up(self._modules, self._confines, within=_WARM_WITHIN)
            self._idle.put_nowait(process)
            await process.over.wait()
            return True
        except Unavailable as error:
            log.error("%s", error.message)
            return False
        finally:
            process.kill()
            await process.end()
            self._guard.forget(process.pid)


class WarmProcesses:
    """Jobs go to a stock."""

    def __init__(self, stock: WarmProcessPool, url: str) -> None:
        self._stock = stock
        self._url = url

    async def perform(self, execution: Execution, task: Task) -> Outcome:
        return await self._stock.perform(execution, task, self._url)
