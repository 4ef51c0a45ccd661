"""Answers of a worker to forms: which values a field of an extension can have now.

A question runs like a job, in a thread or a process of the worker, but it is no job: it has no state, no log and no
slot, and its room can only be read.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from workroom.domain.errors import WorkroomError
from workroom.domain.jobs.outcomes import Failed, Succeeded
from workroom.logs import get_logger
from workroom.worker.execution.execution_state import Execution
from workroom.worker.execution.executors import Executor, ThreadExecutor
from workroom.worker.execution.tasks import ChoicesTask
from workroom.worker.remote.assignment_message import Assignment
from workroom.worker.remote.offers import Offer, Offers

log = get_logger(__name__)

_AT_ONCE = 4
SendEvent = Callable[[str, dict[str, Any]], Awaitable[None]]


class ChoicesAnswers:
    """Answers the questions that reach one worker."""

    def __init__(
        self, offers: Offers, thread_executor: ThreadExecutor, process_executor: Executor, send: SendEvent
    ) -> None:
        self._offers = offers
        self._send = send
        self._tasks: set[asyncio.Task[None]] = set()
        self._thread_executor = thread_executor
        self._process_executor = process_executor
        self._running = 0

    async def asked(self, body: Any) -> None:
        """The handler of the event `extension:choices`. The answer is an event of its own, because it takes a while."""
        task = asyncio.create_task(self._reply(body), name="choices of a form")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _reply(self, body: dict[str, Any]) -> None:
        answer = await self._answer(body)
        try:
            await self._send("extension:answer", {"id": body["id"], **answer})
        except WorkroomError as error:
            log.info("the answer to a form was not sent: %s", error)

    async def _answer(self, body: dict[str, Any]) -> dict[str, Any]:
        """`choices`, or `error`."""
        question = Assignment.model_validate(
            {"jobId": body["id"], "attempt": 0, "jobToken": body["token"]}
            | {name: body[name] for name in ("room", "scope", "category", "name", "data", "timeoutSeconds")}
        )
        offer = self._offers.find(question.scope, question.category, question.name)
        if not isinstance(offer, Offer):
            return _refused("The worker does not offer this extension any more.")
        if self._running >= _AT_ONCE:
            return _refused("The worker answers other forms now. Try again in a moment.")
        self._running += 1
        try:
            return await self._perform(question, ChoicesTask(offer, str(body["field"]), question.data))
        finally:
            self._running -= 1

    async def _perform(self, question: Assignment, task: ChoicesTask) -> dict[str, Any]:
        reporter: Any = SilentReporter()
        execution = Execution(question, reporter)
        executor = self._process_executor if task.offer.isolate else self._thread_executor
        match await executor.perform(execution, task):
            case Succeeded(result):
                return {"choices": result}
            case Failed(error):
                log.info("%s/%s: no choices for %s: %s", question.category, question.name, task.field, error)
                return _refused(f"{error.get('type')}: {error.get('message')}")
            case _:
                return _refused("The question was ended.")


class SilentReporter:
    """Drops progress and lines: a question has no log."""

    def progress(self, fraction: float | None, message: str = "") -> None:
        pass

    def line(self, text: str) -> None:
        pass


def _refused(why: str) -> dict[str, Any]:
    return {"error": why[:2_000]}
