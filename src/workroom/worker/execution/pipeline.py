"""An execution, step by step: resolve, validate, start, perform, outcome, report.

Each step forward, none back. Whatever goes wrong in a step becomes the outcome, and the outcome is reported; only an
attempt that is no longer ours ends in silence.
"""

from __future__ import annotations

import logging

from pydantic import ValidationError

from workroom.domain.errors import Conflict, NotFound, WorkroomError
from workroom.domain.jobs.outcomes import Failed, Outcome, Report, Started
from workroom.domain.value_codec import unpack_call
from workroom.worker.execution.execution import Execution, Stop
from workroom.worker.execution.executors import Executor, ThreadExecutor
from workroom.worker.execution.outcome import failure, stopped
from workroom.worker.execution.tasks import AnyTask, CallTask, Task
from workroom.worker.remote.assignment import Assignment
from workroom.worker.remote.offers import AnyOffer, FunctionOffer, Offers
from workroom.worker.remote.outbox import Outbox

log = logging.getLogger("workroom.worker")


class Pipeline:
    """Takes executions from their assignment to their report."""

    def __init__(self, offers: Offers, outbox: Outbox, *, here: ThreadExecutor, apart: Executor) -> None:
        self._offers = offers
        self._outbox = outbox
        self._here = here
        self._apart = apart  # for what is offered with isolate=True

    async def execute(self, execution: Execution) -> None:
        task = self._prepare(execution.assignment)
        if not await self.start(execution):
            return
        outcome = task if isinstance(task, Failed) else await self._perform(execution, task)
        await self._report(execution, outcome)

    def rest(self) -> None:
        self._here.rest()

    def _prepare(self, assignment: Assignment) -> AnyTask | Failed:
        try:
            return self._validate(self._resolve(assignment), assignment)
        except (WorkroomError, ValidationError) as error:
            return failure(error)

    def _resolve(self, assignment: Assignment) -> AnyOffer:
        """The extension or function that is meant."""
        offer = self._offers.find(assignment.scope, assignment.category, assignment.name)
        if offer is None:
            raise NotFound(f"This worker does not offer {assignment.category}/{assignment.name} any more.")
        return offer

    def _validate(self, offer: AnyOffer, assignment: Assignment) -> AnyTask:
        """The arguments as parameters; the server has checked them against the schema, pydantic checks the rest."""
        if isinstance(offer, FunctionOffer):
            return CallTask(offer, *unpack_call(assignment.data))
        return Task(offer, offer.extension.model_validate(assignment.data))

    async def start(self, execution: Execution) -> bool:
        """Say that it runs; whether it is still ours to run."""
        if execution.stop is Stop.CANCEL:
            await self._report(execution, stopped(execution))
            return False
        return await self._try_report(execution, Started())

    async def _perform(self, execution: Execution, task: AnyTask) -> Outcome:
        """Run it, for as long as it may."""
        execution.is_performing = True
        if isinstance(task, Task) and task.offer.isolate:
            return await self._apart.perform(execution, task)
        return await self._here.perform(execution, task)

    async def _report(self, execution: Execution, outcome: Outcome) -> None:
        """Say how it ended, once everything it printed has been said."""
        if execution.stop is not Stop.LOST:
            await execution.voice.finish()
        try:
            await self._send(execution, outcome)
        except Conflict as error:
            log.warning("the outcome of %s is dropped: %s", execution.assignment, error)
        except WorkroomError as error:
            # Too large, or not storable: the job has to end all the same.
            await self._try_report(execution, failure(error))

    async def _try_report(self, execution: Execution, outcome: Outcome) -> bool:
        try:
            await self._send(execution, outcome)
        except WorkroomError as error:
            log.warning("%s is not taken from us: %s", execution.assignment, error)
            execution.ask_to_stop(Stop.LOST)
            return False
        return True

    async def _send(self, execution: Execution, outcome: Outcome) -> None:
        await self._outbox.put(Report(execution.assignment.job_id, execution.assignment.attempt, outcome))
