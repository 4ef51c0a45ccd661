"""An execution, step by step: resolve, validate, start, perform, outcome, report.

Each step forward, none back. Whatever goes wrong in a step becomes the outcome, and the outcome is reported; only an
attempt that is no longer ours ends in silence.
"""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from workroom.client.access import Access
from workroom.client.extension import Extension
from workroom.client.portal import Portal
from workroom.domain.errors import Conflict, NotFound, WorkroomError
from workroom.domain.outcomes import Failed, Outcome, Report, Started
from workroom.domain.values import unpack_call
from workroom.worker import capture
from workroom.worker.assignment import Assignment
from workroom.worker.execution import Execution, Stop
from workroom.worker.hands import Hands
from workroom.worker.isolated import perform_apart
from workroom.worker.job_room import JobRoom
from workroom.worker.offers import AnyOffer, FunctionOffer, Offer, Offers
from workroom.worker.outbox import Outbox
from workroom.worker.outcome import (
    as_json,
    as_packed,
    failure,
    outcome_of_error,
    outcome_of_return,
    stopped,
    timed_out,
)

log = logging.getLogger("workroom.worker")

# How long a job that ran out of time may take to notice; then it is given up, though its thread may go on.
_NOTICE_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class Task:
    """What is to be performed: an extension with its parameters, and how it is offered."""

    offer: Offer
    extension: Extension

    def perform(self, vis: JobRoom) -> Any:
        return self.extension.run(vis, **self.offer.run_kwargs)

    def written(self, value: Any) -> Any:
        return as_json(value)


@dataclass(frozen=True, slots=True)
class CallTask:
    """What is to be performed: a function and its arguments. It knows no room."""

    offer: FunctionOffer
    args: tuple[Any, ...]
    kwargs: dict[str, Any]

    def perform(self, vis: JobRoom) -> Any:
        return self.offer.function.call(*self.args, **self.kwargs)

    def written(self, value: Any) -> Any:
        return as_packed(value)


AnyTask = Task | CallTask


class Pipeline:
    """Takes executions from their assignment to their report."""

    def __init__(self, access: Access, offers: Offers, outbox: Outbox) -> None:
        self._access = access
        self._offers = offers
        self._outbox = outbox
        self._hands = Hands()

    async def execute(self, execution: Execution) -> None:
        task = self._prepare(execution.assignment)
        if not await self.start(execution):
            return
        outcome = task if isinstance(task, Failed) else await self._perform(execution, task)
        await self._report(execution, outcome)

    def rest(self) -> None:
        self._hands.rest()

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
        return await self._told(execution, Started())

    async def _perform(self, execution: Execution, task: AnyTask) -> Outcome:
        """Run it in a thread, for as long as it may."""
        execution.is_performing = True
        execution.url = self._access.url
        portal = Portal(asyncio.get_running_loop())
        work: Callable[[], Outcome]
        if isinstance(task, Task) and task.offer.isolate:
            offer = task.offer
            work = lambda: perform_apart(execution, offer, self._access.url)  # noqa: E731
        else:
            work = lambda: perform_here(execution, task, JobRoom(portal, self._access, execution))  # noqa: E731
        performing = asyncio.ensure_future(self._hands.do(work))
        done, _ = await asyncio.wait({performing}, timeout=execution.assignment.timeout_seconds)
        if not done:
            execution.ask_to_stop(Stop.TIMEOUT)
            done, _ = await asyncio.wait({performing}, timeout=_NOTICE_SECONDS)
        if not done:
            log.warning("%s does not stop; its thread is left to itself", execution.assignment)
            outcome = timed_out(execution)
            execution.ask_to_stop(Stop.LOST)
            return outcome
        error = performing.exception()
        return performing.result() if error is None else failure(error)

    async def _report(self, execution: Execution, outcome: Outcome) -> None:
        """Say how it ended, once everything it printed has been said."""
        if execution.stop is not Stop.LOST:
            await execution.voice.finish()
        try:
            await self._said(execution, outcome)
        except Conflict as error:
            log.warning("the outcome of %s is dropped: %s", execution.assignment, error)
        except WorkroomError as error:
            # Too large, or not storable: the job has to end all the same.
            await self._told(execution, failure(error))

    async def _told(self, execution: Execution, outcome: Outcome) -> bool:
        try:
            await self._said(execution, outcome)
        except WorkroomError as error:
            log.warning("%s is not taken from us: %s", execution.assignment, error)
            execution.ask_to_stop(Stop.LOST)
            return False
        return True

    async def _said(self, execution: Execution, outcome: Outcome) -> None:
        await self._outbox.put(Report(execution.assignment.job_id, execution.assignment.attempt, outcome))


def perform_here(execution: Execution, task: AnyTask, vis: JobRoom) -> Outcome:
    """The extension's or function's own code, in this thread."""
    with capture.speaking_as(execution):
        try:
            value: Any = task.perform(vis)
            if inspect.iscoroutine(value):
                value = asyncio.run(value)
            return outcome_of_return(execution, value, task.written)
        except BaseException as error:
            return outcome_of_error(execution, error)
        finally:
            vis.finish()
