"""The remote worker: takes what the server pushes, runs it, and says how it went."""

from __future__ import annotations

import asyncio
import logging
import os
import platform
import socket
from collections.abc import Sequence
from typing import Any
from uuid import UUID

from workroom.client.net.http import ApiClient
from workroom.client.net.problems import check_acknowledgement, error_of
from workroom.domain.errors import AttemptLost, NotFound, NotSignedIn, WorkerLost, WorkroomError
from workroom.worker.execution import capture, tqdm_patch
from workroom.worker.execution.execution import Execution, Stop
from workroom.worker.execution.executors import Executor, ThreadExecutor
from workroom.worker.execution.pipeline import Pipeline
from workroom.worker.execution.reporter import JobReporter
from workroom.worker.processes.one_shot import ProcessPerJob
from workroom.worker.remote.assignment import Assignment
from workroom.worker.remote.connection import WorkerConnection
from workroom.worker.remote.offers import AnyOffer, Offers
from workroom.worker.remote.outbox import SOCKET_BYTES, Outbox, PendingReport

log = logging.getLogger("workroom.worker")

# How long jobs may take to notice that the worker closes.
_STOP_SECONDS = 2.0
Key = tuple[UUID, int]


class RemoteWorker:
    """One worker of the server, however many extensions it offers and jobs it runs: one registration, one socket."""

    def __init__(
        self,
        access: ApiClient,
        room: str | None,
        *,
        name: str = "",
        auto_pickup: bool = True,
        capacity: int | None = None,
        apart: Executor | None = None,
        breaker: bool = True,
    ) -> None:
        self._access = access
        self._room = room
        self._name = name
        self._auto_pickup = auto_pickup
        self._capacity = capacity
        self._breaker = breaker and auto_pickup
        self.offers = Offers()
        self.attachment = WorkerConnection(
            access,
            self._registration,
            {"job:assigned": self._assigned, "job:cancel": self._cancel},
            self._reconcile,
        )
        self._outbox = Outbox(self._deliver, self.attachment.attached)
        self.pipeline = Pipeline(
            self.offers, self._outbox, here=ThreadExecutor(access), apart=apart or ProcessPerJob(access.url)
        )
        self._executions: dict[Key, Execution] = {}
        self._running: set[asyncio.Task[None]] = set()
        self._waiting: dict[UUID, Execution] = {}  # picked up by hand
        self._arrived = asyncio.Condition()
        self._is_capturing = False
        self.jobs_done = 0

    @property
    def id(self) -> UUID | None:
        return self.attachment.worker_id

    @property
    def jobs_running(self) -> int:
        return len(self._running)

    async def offer(self, *offers: AnyOffer) -> None:
        """Offer these too, from now on. When the server objects, everything stays as it was."""
        before = self.offers.snapshot()
        for offer in offers:
            self.offers.add(offer)
        try:
            await self.attachment.register()
        except BaseException:
            self.offers.restore(before)
            raise
        if not self._is_capturing:
            self._is_capturing = True
            capture.install()
            tqdm_patch.patch()

    async def replace(self, offers: Sequence[AnyOffer]) -> None:
        """Offer these, and nothing else."""
        before = self.offers.snapshot()
        self.offers.restore({offer.key: offer for offer in offers})
        try:
            await self.attachment.register()
        except BaseException:
            self.offers.restore(before)
            raise

    async def withdraw(self, extension: Any) -> None:
        """Offer this no more; without any offer left the worker leaves."""
        self.offers.withdraw(extension)
        if len(self.offers):
            await self.attachment.register()
        else:
            await self.drain()

    async def next_job(self) -> Execution:
        """The next job for somebody who picks them up by hand; it is said to run, so run it."""
        while True:
            async with self._arrived:
                await self._arrived.wait_for(lambda: self._waiting)
                execution = self._waiting.pop(next(iter(self._waiting)))
            if await self.pipeline.start(execution):
                return execution
            self._executions.pop(execution.assignment.key, None)

    async def drain(self, within: float | None = None) -> None:
        """Finish what runs, take nothing more, and leave: after so many seconds whatever still runs."""
        await self._tell_shutdown()
        try:
            async with asyncio.timeout(within):
                while self._running:
                    await asyncio.wait(set(self._running))
        except TimeoutError:
            log.warning("%d jobs did not end in time", len(self._running))
        await self._leave()

    async def close(self) -> None:
        """Leave at once: what runs is asked to stop, and given up if it does not."""
        if self.id is None:
            return
        for execution in list(self._executions.values()):
            execution.ask_to_stop(Stop.CANCEL)
        if self._running:
            await self._tell_shutdown()
        if running := set(self._running):
            await asyncio.wait(running, timeout=_STOP_SECONDS)
        await self._leave()

    def give_up(self) -> None:
        """Let everything go; called right before the process ends."""
        for execution in self._executions.values():
            execution.ask_to_stop(Stop.LOST)

    async def _leave(self) -> None:
        await self.attachment.leave()
        await self._tell_shutdown()
        for execution in list(self._executions.values()):
            execution.ask_to_stop(Stop.LOST)
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)
        await self._outbox.close()
        self.pipeline.rest()
        if self._is_capturing:
            self._is_capturing = False
            capture.uninstall()

    async def _tell_shutdown(self) -> None:
        try:
            await self.attachment.request("POST", f"/api/workers/{self.id}/shutdown")
        except (WorkroomError, OSError) as error:
            log.debug("shutdown not told: %s", error)  # the lease will

    def _registration(self) -> dict[str, Any]:
        return {
            "room": self._room,
            "extensions": [offer.as_message(breaker=self._breaker) for offer in self.offers],
            "capacity": self._capacity or self.offers.capacity,
            "info": {
                "host": socket.gethostname(),
                "pid": os.getpid(),
                "python": platform.python_version(),
                "name": self._name,
            },
        }

    async def _assigned(self, body: Any) -> dict[str, Any]:
        assignment = Assignment.model_validate(body)
        if assignment.key in self._executions:
            return {"ok": True}
        execution = self._execution(assignment)
        self._executions[assignment.key] = execution
        if self._auto_pickup:
            task = asyncio.create_task(self.run(execution), name=f"job {assignment.job_id}")
            self._running.add(task)
            task.add_done_callback(self._running.discard)
        else:
            async with self._arrived:
                self._put_aside(execution)
                self._arrived.notify()
        return {"ok": True}

    def _put_aside(self, execution: Execution) -> None:
        """One that was not picked up in time comes again as a new attempt."""
        older = self._waiting.pop(execution.assignment.job_id, None)
        if older is not None:
            self._executions.pop(older.assignment.key, None)
        self._waiting[execution.assignment.job_id] = execution

    async def run(self, execution: Execution) -> None:
        try:
            await self.pipeline.execute(execution)
        finally:
            self.jobs_done += 1
            self._executions.pop(execution.assignment.key, None)

    async def _cancel(self, body: Any) -> None:
        execution = self._executions.get((UUID(body["jobId"]), int(body["attempt"])))
        if execution is not None:
            execution.ask_to_stop(Stop.CANCEL)

    def _execution(self, assignment: Assignment) -> Execution:
        name = {"jobId": str(assignment.job_id), "attempt": assignment.attempt}
        execution = Execution(assignment, JobReporter(asyncio.get_running_loop(), name, self._speak))
        execution.voice.when_lost = lambda: execution.ask_to_stop(Stop.LOST)
        return execution

    async def _speak(self, name: str, body: dict[str, Any]) -> None:
        check_acknowledgement(await self.attachment.call(name, body))

    async def _reconcile(self) -> None:
        """After coming back: what the server took from us meanwhile is lost, and stops."""
        answer = await self.attachment.request("GET", f"/api/workers/{self.id}/jobs")
        ours = {(UUID(job["jobId"]), int(job["attempt"])) for job in answer["items"]}
        for key, execution in list(self._executions.items()):
            if key not in ours and execution.is_performing:
                log.warning("%s was taken from us while we were away", execution.assignment)
                execution.ask_to_stop(Stop.LOST)

    async def _deliver(self, letters: Sequence[PendingReport]) -> list[WorkroomError | None]:
        """By socket, several at once; by REST what is too large for it, or while there is none."""
        incarnation = self.attachment.incarnation
        if self.attachment.is_attached and sum(letter.size for letter in letters) <= SOCKET_BYTES:
            answers = await self._by_socket(letters)
        else:
            answers = [await self._by_rest(letter) for letter in letters]
        if any(isinstance(answer, WorkerLost) for answer in answers):
            await self.attachment.renew(incarnation)
        return answers

    async def _by_socket(self, letters: Sequence[PendingReport]) -> list[WorkroomError | None]:
        answer = await self.attachment.call("job:status", [letter.body for letter in letters])
        if not answer.get("ok"):
            if len(letters) > 1:  # one of them spoils the others
                return [(await self._by_socket([letter]))[0] for letter in letters]
            return [_refusal(answer)]
        return [None if one.get("ok") else _refusal(one) for one in answer["answers"]]

    async def _by_rest(self, letter: PendingReport) -> WorkroomError | None:
        body = {key: value for key, value in letter.body.items() if key not in ("jobId", "confirm")} | {
            "workerId": str(self.id)
        }
        try:
            await self.attachment.request("PUT", f"/api/jobs/{letter.body['jobId']}/status", body)
        except NotSignedIn:
            return WorkerLost()
        except NotFound:
            return AttemptLost("The job is gone.")
        except WorkroomError as error:
            return error
        return None


def _refusal(answer: dict[str, Any]) -> WorkroomError:
    return error_of(str(answer.get("code")), int(answer.get("status", 500)), str(answer.get("message", "")))
