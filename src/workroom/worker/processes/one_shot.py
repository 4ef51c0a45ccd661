"""The executor behind `isolate=True`: one process for each job."""

from __future__ import annotations

from typing import Any

from workroom.domain.jobs.outcomes import Outcome
from workroom.worker.execution.execution_state import Execution, Stop
from workroom.worker.execution.executors import with_timeout
from workroom.worker.execution.tasks import ChoicesTask, OfferedTask
from workroom.worker.loading import source_of
from workroom.worker.processes.process import NOTICE_SECONDS, JobProcess

# A killed process normally exits at once. If it does not, the job times out all the same.
NOTICE = NOTICE_SECONDS[Stop.TIMEOUT] + 5.0


class OneShotExecutor:
    """Starts a new process for each job, with the worker's environment and no limits."""

    def __init__(self, url: str) -> None:
        self._url = url

    async def perform(self, execution: Execution, task: OfferedTask) -> Outcome:
        return await with_timeout(execution, self._perform(execution, task), notice=NOTICE)

    async def _perform(self, execution: Execution, task: OfferedTask) -> Outcome:
        process = await JobProcess.start()
        try:
            return await process.perform(execution, job_message(execution, task, self._url) | {"last": True})
        finally:
            await process.end()


def job_message(execution: Execution, task: OfferedTask, url: str) -> dict[str, Any]:
    offer = task.offer
    return {
        "source": source_of(offer.extension),
        "runKwargs": dict(offer.run_kwargs),
        "url": url,
        "choices": task.field if isinstance(task, ChoicesTask) else None,
        "assignment": execution.assignment.model_dump(mode="json", by_alias=True),
    }
