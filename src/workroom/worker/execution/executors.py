"""Where a job is performed: in a thread here, or in a process of its own."""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import Coroutine
from typing import Any, Protocol

from workroom.client.net.http import ApiClient
from workroom.client.portal import Portal
from workroom.domain.jobs.outcomes import Outcome
from workroom.worker.execution import capture
from workroom.worker.execution.daemon_threads import DaemonThreadPool
from workroom.worker.execution.execution import Execution, Stop
from workroom.worker.execution.job_room import JobRoom
from workroom.worker.execution.outcome import failure, outcome_of_error, outcome_of_return, timed_out
from workroom.worker.execution.tasks import AnyTask, Task

log = logging.getLogger("workroom.worker")

# How long a job that ran out of time may take to notice; then it is given up, though its thread may go on.
_NOTICE_SECONDS = 0.5


class Executor(Protocol):
    """Takes a task to its outcome, within the time it may take."""

    async def perform(self, execution: Execution, task: Task) -> Outcome: ...


class ThreadExecutor:
    """In a thread: heavy models stay loaded, and what does not want to stop cannot be made to."""

    def __init__(self, access: ApiClient) -> None:
        self._access = access
        self._hands = DaemonThreadPool()

    async def perform(self, execution: Execution, task: AnyTask) -> Outcome:
        execution.url = self._access.url
        vis = JobRoom(Portal(asyncio.get_running_loop()), self._access, execution)
        work = self._hands.run(lambda: run_inline(execution, task, vis))
        return await with_timeout(execution, work, notice=_NOTICE_SECONDS)

    def rest(self) -> None:
        self._hands.shutdown()


async def with_timeout(execution: Execution, work: Coroutine[Any, Any, Outcome], *, notice: float) -> Outcome:
    """The outcome, or that it took too long: then the job has this much longer to notice."""
    performing = asyncio.ensure_future(work)
    try:
        done, _ = await asyncio.wait({performing}, timeout=execution.assignment.timeout_seconds)
        if not done:
            execution.ask_to_stop(Stop.TIMEOUT)
            done, _ = await asyncio.wait({performing}, timeout=notice)
    except asyncio.CancelledError:
        performing.cancel()
        raise
    if not done:
        log.warning("%s does not stop; it is left to itself", execution.assignment)
        outcome = timed_out(execution)
        execution.ask_to_stop(Stop.LOST)
        return outcome
    error = performing.exception()
    return performing.result() if error is None else failure(error)


def run_inline(execution: Execution, task: AnyTask, vis: JobRoom) -> Outcome:
    """The extension's or function's own code, in this thread."""
    with capture.speaking_as(execution):
        try:
            value: Any = task.perform(vis)
            if inspect.iscoroutine(value):
                value = asyncio.run(value)
            return outcome_of_return(execution, value, task.encode_result)
        except BaseException as error:
            return outcome_of_error(execution, error)
        finally:
            vis.finish()
