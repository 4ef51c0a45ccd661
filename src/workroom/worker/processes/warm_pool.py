"""A pool of warm job processes: started ahead, reused for several jobs, replaced when they exit or are used up."""

from __future__ import annotations

import asyncio
import random
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Self

from workroom.confinement.policy import Policy
from workroom.domain.errors import Unavailable
from workroom.domain.jobs.backoff import backoff_seconds
from workroom.domain.jobs.outcomes import Outcome
from workroom.logs import get_logger
from workroom.worker.execution.execution_state import Execution
from workroom.worker.execution.executors import with_timeout
from workroom.worker.execution.outcome_conversion import failure, stopped
from workroom.worker.execution.tasks import OfferedTask
from workroom.worker.processes.connection_broker import ConnectionBroker
from workroom.worker.processes.limits import ProcessLimits
from workroom.worker.processes.one_shot import NOTICE, job_message
from workroom.worker.processes.process import JobProcess
from workroom.worker.processes.reaper import ProcessReaper

log = get_logger(__name__)

_WARM_UP_TIMEOUT = 60.0
_LONGEST_PAUSE = 10.0


class WarmProcessPool:
    """Keeps `size` processes warm; one supervising task for each. Use it with `async with`."""

    def __init__(
        self, size: int, modules: Sequence[str], limits: ProcessLimits, policy: Policy, url: str, *, jobs_each: int
    ) -> None:
        self.size = size
        self._policy = policy
        self._url = url  # of the server, the only one that the processes can reach
        self._modules = modules
        self._limits = limits
        self._jobs_each = jobs_each
        self._idle: asyncio.Queue[JobProcess] = asyncio.Queue()
        self._reaper: ProcessReaper | None = None
        self._supervisors: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Self:
        self._reaper = ProcessReaper()
        self._supervisors = [asyncio.create_task(self._supervise(), name=f"warm process {n}") for n in range(self.size)]
        return self

    async def __aexit__(self, *_: object) -> None:
        for supervisor in self._supervisors:
            supervisor.cancel()
        await asyncio.gather(*self._supervisors, return_exceptions=True)
        assert self._reaper is not None
        await asyncio.to_thread(self._reaper.close)

    async def wait_until_warm(self) -> None:
        """Wait for the first process. Raises Unavailable when none becomes ready."""
        self._idle.put_nowait(await self._take())

    async def perform(self, execution: Execution, task: OfferedTask, url: str) -> Outcome:
        """Run a job in the next idle process. Its timeout counts from when it gets one."""
        try:
            process = await self._take()
        except Unavailable as error:
            return failure(error)
        if execution.stop is not None:
            self._idle.put_nowait(process)
            return stopped(execution)
        process.on_idle = lambda why: self._put_back(process, why)
        return await with_timeout(
            execution, process.perform(execution, job_message(execution, task, url)), notice=NOTICE
        )

    async def _take(self) -> JobProcess:
        try:
            async with asyncio.timeout(_WARM_UP_TIMEOUT):
                while not (process := await self._idle.get()).is_alive:
                    pass
                return process
        except TimeoutError:
            raise Unavailable("No process of the pool could be started; the log has the reason.") from None

    def _put_back(self, process: JobProcess, reason: str | None) -> None:
        if reason is None and process.jobs < self._jobs_each:
            self._idle.put_nowait(process)
            return
        log.debug("job process %d is replaced: %s", process.pid, reason or "it has run its number of jobs")
        process.finished.set()

    async def _supervise(self) -> None:
        """Keep one process alive, and replace it when it ends."""
        failures = 0
        while True:
            try:
                failures = 0 if await self._run_one() else failures + 1
            except OSError as error:
                log.error("a job process cannot be started, retrying: %s", error)
                failures += 1
            if failures:
                jitter = random.random()  # noqa: S311 - no secret
                await asyncio.sleep(backoff_seconds(failures, 0.5, _LONGEST_PAUSE, jitter))

    async def _run_one(self) -> bool:
        """One process from its start to its exit; False if it never became ready."""
        folder = Path(tempfile.mkdtemp(prefix="workroom-job-"))
        broker = ConnectionBroker(self._url)
        try:
            process = await JobProcess.start(
                environment=self._limits.environment(folder),
                folder=folder,
                limits=self._limits,
                policy=self._policy,
                broker=broker,
            )
            broker.start()
            return await self._serve(process, folder)
        finally:
            await broker.close()
            shutil.rmtree(folder, ignore_errors=True)

    async def _serve(self, process: JobProcess, folder: Path) -> bool:
        assert self._reaper is not None
        self._reaper.watch(process.pid, folder)
        try:
            await process.warm_up(self._modules, self._limits, within=_WARM_UP_TIMEOUT)
            self._idle.put_nowait(process)
            await process.finished.wait()
            return True
        except Unavailable as error:
            log.error("%s", error.message)
            return False
        finally:
            process.kill()
            await process.end()
            self._reaper.forget(process.pid)


class WarmProcessExecutor:
    """The executor that runs jobs in a `WarmProcessPool`."""

    def __init__(self, pool: WarmProcessPool, url: str) -> None:
        self._pool = pool
        self._url = url

    async def perform(self, execution: Execution, task: OfferedTask) -> Outcome:
        return await self._pool.perform(execution, task, self._url)
