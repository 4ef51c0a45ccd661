"""Executors: run a task to its outcome, in a thread of the worker or in another process."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Coroutine
from typing import Any, Protocol

from workroom.client.input_file import downloaded
from workroom.client.net.http import ApiClient
from workroom.client.portal import Portal
from workroom.domain.jobs.outcomes import Outcome
from workroom.logs import get_logger
from workroom.worker.execution import capture
from workroom.worker.execution.daemon_threads import DaemonThreadPool
from workroom.worker.execution.execution_state import Execution, Stop
from workroom.worker.execution.job_room import JobRoom
from workroom.worker.execution.outcome_conversion import failure, outcome_of_error, outcome_of_return, timed_out
from workroom.worker.execution.tasks import AnyTask, OfferedTask

log = get_logger(__name__)

# How long a timed-out job may take to return. Then its outcome is reported, though its thread may still run.
_NOTICE_SECONDS = 0.5


class Executor(Protocol):
    """Runs a task to its outcome, within its timeout."""

    async def perform(self, execution: Execution, task: OfferedTask) -> Outcome: ...


class ThreadExecutor:
    """Runs tasks in threads: loaded models are kept, but a task that ignores the request to stop cannot be killed."""

    def __init__(self, access: ApiClient) -> None:
        self._access = access
        self._threads = DaemonThreadPool()

    async def perform(self, execution: Execution, task: AnyTask) -> Outcome:
        execution.url = self._access.url
        vis = JobRoom(Portal(asyncio.get_running_loop()), self._access, execution)
        work = self._threads.run(lambda: run_inline(execution, task, vis))
        return await with_timeout(execution, work, notice=_NOTICE_SECONDS)

    def shutdown(self) -> None:
        self._threads.shutdown()


async def with_timeout(execution: Execution, work: Coroutine[Any, Any, Outcome], *, notice: float) -> Outcome:
    """The outcome of the work, or a time-out. The job then has `notice` more seconds to return."""
    performing = asyncio.ensure_future(work)
    try:
        done, _ = await asyncio.wait({performing}, timeout=execution.assignment.timeout_seconds)
        if not done:
            execution.request_stop(Stop.TIMEOUT)
            done, _ = await asyncio.wait({performing}, timeout=notice)
    except asyncio.CancelledError:
        performing.cancel()
        raise
    if not done:
        log.warning("%s does not stop after its timeout: its thread is abandoned", execution.assignment)
        outcome = timed_out(execution)
        execution.request_stop(Stop.LOST)
        return outcome
    error = performing.exception()
    return performing.result() if error is None else failure(error)


def run_inline(execution: Execution, task: AnyTask, vis: JobRoom) -> Outcome:
    """Run the code of the extension or function in this thread."""
    with capture.capturing(execution):
        try:
            with downloaded(task.files, vis.inner.access, vis.name, vis.portal.call):
                value: Any = task.perform(vis)
                if inspect.iscoroutine(value):
                    value = asyncio.run(value)
            return outcome_of_return(execution, value, task.encode_result)
        except BaseException as error:
            return outcome_of_error(execution, error)
        finally:
            vis.finish()
