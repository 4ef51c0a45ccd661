"""The steps of an execution: resolve, validate, start, perform, report.

An error in a step becomes the outcome, and the outcome is reported. Only an attempt that was taken from this worker
ends without a report.
"""

from __future__ import annotations

import time

from workroom.client.arguments import restore
from workroom.domain.errors import Conflict, NotFound, WorkroomError
from workroom.domain.jobs.outcomes import Failed, Outcome, Report, Started
from workroom.domain.values.codec import unpack_call
from workroom.logs import get_logger
from workroom.worker.execution.execution_state import Execution, Stop
from workroom.worker.execution.executors import Executor, ThreadExecutor
from workroom.worker.execution.outcome_conversion import failure, refusal, stopped
from workroom.worker.execution.start_and_end_log import JobLog
from workroom.worker.execution.tasks import AnyTask, ExtensionTask, FunctionTask
from workroom.worker.remote.assignment_message import Assignment
from workroom.worker.remote.offers import AnyOffer, FunctionOffer, Offers
from workroom.worker.remote.outbox import Outbox

log = get_logger(__name__)


class Pipeline:
    """Runs executions from assignment to report."""

    def __init__(
        self, offers: Offers, outbox: Outbox, *, thread_executor: ThreadExecutor, process_executor: Executor
    ) -> None:
        self._offers = offers
        self._outbox = outbox
        self._thread_executor = thread_executor
        self._job_log = JobLog()
        self._process_executor = process_executor  # for extensions offered with isolate=True

    async def execute(self, execution: Execution) -> None:
        task = self._prepare(execution.assignment)
        if not await self.start(execution):
            return
        job = execution.assignment
        name, began = f"{job.category}/{job.name}", time.monotonic()
        self._job_log.started(job.job_id, name, job.attempt, job.room)
        outcome = task if isinstance(task, Failed) else await self._perform(execution, task)
        self._job_log.ended(job.job_id, name, job.attempt, outcome, time.monotonic() - began, job.room)
        await self._report(execution, outcome)

    def shutdown(self) -> None:
        self._thread_executor.shutdown()

    def _prepare(self, assignment: Assignment) -> AnyTask | Failed:
        try:
            offer = self._resolve(assignment)
        except WorkroomError as error:
            return failure(error)
        try:
            return self._validate(offer, assignment)
        except Exception as error:
            return refusal(error)

    def _resolve(self, assignment: Assignment) -> AnyOffer:
        """The offered extension or function that the assignment names."""
        offer = self._offers.find(assignment.scope, assignment.category, assignment.name)
        if offer is None:
            raise NotFound(f"This worker does not offer {assignment.category}/{assignment.name} any more.")
        return offer

    def _validate(self, offer: AnyOffer, assignment: Assignment) -> AnyTask:
        """The arguments as parameters. The server has checked the JSON schema; pydantic runs the other validators."""
        if isinstance(offer, FunctionOffer):
            return FunctionTask(offer, *unpack_call(assignment.data))
        return ExtensionTask(offer, restore(offer.extension, assignment.data))

    async def start(self, execution: Execution) -> bool:
        """Report the start; False if the attempt was cancelled or taken from this worker."""
        if execution.stop is Stop.CANCEL:
            await self._report(execution, stopped(execution))
            return False
        return await self._try_report(execution, Started())

    async def _perform(self, execution: Execution, task: AnyTask) -> Outcome:
        """Run the task in the executor that its offer asks for."""
        execution.is_performing = True
        if isinstance(task, ExtensionTask) and task.offer.isolate:
            return await self._process_executor.perform(execution, task)
        return await self._thread_executor.perform(execution, task)

    async def _report(self, execution: Execution, outcome: Outcome) -> None:
        """Report the outcome, after all lines and progress have been sent."""
        execution.outcome = outcome
        if execution.stop is not Stop.LOST:
            await execution.reporter.finish()
        try:
            await self._send(execution, outcome)
        except Conflict as error:
            log.warning("%s: the server refused its outcome, which is dropped: %s", execution.assignment, error)
        except WorkroomError as error:
            # The outcome is too large or cannot be stored: report that instead, so that the job ends.
            await self._try_report(execution, refusal(error))

    async def _try_report(self, execution: Execution, outcome: Outcome) -> bool:
        try:
            await self._send(execution, outcome)
        except WorkroomError as error:
            log.warning("%s: the server refused a report, the attempt stops: %s", execution.assignment, error)
            execution.request_stop(Stop.LOST)
            return False
        return True

    async def _send(self, execution: Execution, outcome: Outcome) -> None:
        await self._outbox.put(Report(execution.assignment.job_id, execution.assignment.attempt, outcome))
