"""The remote worker: receives assigned jobs by socket, runs them, and reports their outcomes."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any
from uuid import UUID

from workroom.client.net.http import ApiClient
from workroom.client.net.problems import check_acknowledgement, error_of
from workroom.domain.errors import AttemptLost, NotFound, NotSignedIn, WorkerLost, WorkroomError
from workroom.domain.jobs.resources import Resources, checked_resources
from workroom.logs import get_logger
from workroom.worker.execution import capture, tqdm_patch
from workroom.worker.execution.choices_question import ChoicesAnswers
from workroom.worker.execution.execution_state import Execution, Stop
from workroom.worker.execution.executors import Executor, ThreadExecutor
from workroom.worker.execution.pipeline import Pipeline
from workroom.worker.execution.reporter import JobReporter
from workroom.worker.processes.one_shot import OneShotExecutor
from workroom.worker.remote.assignment_message import Assignment
from workroom.worker.remote.connection import WorkerConnection
from workroom.worker.remote.idle_exit import Ending
from workroom.worker.remote.offers import AnyOffer, Offers
from workroom.worker.remote.outbox import SOCKET_BYTES, Outbox, PendingReport
from workroom.worker.remote.process_info import process_info
from workroom.worker.walltime import Walltime

log = get_logger(__name__)

# How long running jobs may take to stop when the worker closes.
_STOP_SECONDS = 2.0
AttemptKey = tuple[UUID, int]


class RemoteWorker:
    """One registration and one socket, for any number of extensions and jobs."""

    def __init__(
        self,
        access: ApiClient,
        room: str | None,
        *,
        name: str = "",
        auto_pickup: bool = True,
        capacity: int | None = None,
        process_executor: Executor | None = None,
        breaker: bool = True,
        resources: Resources | None = None,
        walltime: Walltime | None = None,
        idle_exit: float | None = None,
    ) -> None:
        self._access = access
        self._room = room
        self._name = name
        self._auto_pickup = auto_pickup
        self._capacity = capacity
        self._breaker = breaker and auto_pickup
        self._resources = checked_resources(resources)
        self.ending = Ending(walltime, idle_exit, lambda: bool(self._executions))
        self.offers = Offers()
        threads, processes = ThreadExecutor(access), process_executor or OneShotExecutor(access.url)
        choices = ChoicesAnswers(self.offers, threads, processes, self._send_event)
        self.connection = WorkerConnection(
            access,
            self._registration,
            {"job:assigned": self._assigned, "job:cancel": self._cancel, "extension:choices": choices.asked},
            self._reconcile,
        )
        self._outbox = Outbox(self._deliver, self.connection.attached)
        self.pipeline = Pipeline(self.offers, self._outbox, thread_executor=threads, process_executor=processes)
        self._executions: dict[AttemptKey, Execution] = {}
        self._running: set[asyncio.Task[None]] = set()
        self._for_pickup: dict[UUID, Execution] = {}  # waiting for next_job()
        self._arrived = asyncio.Condition()
        self._is_capturing = False
        self.jobs_done = 0

    @property
    def id(self) -> UUID | None:
        return self.connection.worker_id

    @property
    def jobs_running(self) -> int:
        return len(self._running)

    async def offer(self, *offers: AnyOffer) -> None:
        """Add offers. If the server refuses them, the previous offers stay."""
        before = self.offers.snapshot()
        self.ending.touch()
        for offer in offers:
            self.offers.add(offer)
        try:
            await self.connection.register()
        except BaseException:
            self.offers.restore(before)
            raise
        if not self._is_capturing:
            self._is_capturing = True
            capture.install()
            tqdm_patch.patch()

    async def replace(self, offers: Sequence[AnyOffer]) -> None:
        """Replace all offers by these."""
        before = self.offers.snapshot()
        self.offers.restore({offer.key: offer for offer in offers})
        try:
            await self.connection.register()
        except BaseException:
            self.offers.restore(before)
            raise

    async def withdraw(self, extension: Any) -> None:
        """Withdraw an extension. Without any offer left the worker unregisters."""
        self.offers.withdraw(extension)
        if len(self.offers):
            await self.connection.register()
        else:
            await self.drain()

    async def next_job(self) -> Execution:
        """The next job, for a program that takes jobs itself. Its start has been reported, so it must be run."""
        while True:
            async with self._arrived:
                await self._arrived.wait_for(lambda: self._for_pickup)
                execution = self._for_pickup.pop(next(iter(self._for_pickup)))
            if await self.pipeline.start(execution):
                return execution
            self._executions.pop(execution.assignment.key, None)

    async def drain(self, within: float | None = None) -> None:
        """Accept no more jobs, finish the running ones for so many seconds or until the walltime, and unregister."""
        if within is None and self.ending.walltime is not None:
            within = self.ending.walltime.drain_seconds()
        await self._announce_shutdown()
        try:
            async with asyncio.timeout(within):
                while self._running:
                    await asyncio.wait(set(self._running))
        except TimeoutError:
            held = len(self._running)
            jobs = "1 job" if held == 1 else f"{held} jobs"
            log.warning("%s did not end in time, and the server is told that this worker has left", jobs)
        await self._leave()

    async def close(self) -> None:
        """Unregister soon: unstarted jobs go back to the queue, running ones are asked to stop, then abandoned."""
        if self.id is None:
            return
        await self._announce_shutdown()
        for execution in list(self._executions.values()):
            execution.request_stop(Stop.CANCEL)
        if running := set(self._running):
            await asyncio.wait(running, timeout=_STOP_SECONDS)
        await self._leave()

    def abandon_jobs(self) -> None:
        """Stop all executions without reports; called right before the process exits."""
        for execution in self._executions.values():
            execution.request_stop(Stop.LOST)

    async def _leave(self) -> None:
        await self.connection.leave()
        if await self._announce_shutdown():
            await self._remove_with_jobs()
        for execution in list(self._executions.values()):
            execution.request_stop(Stop.LOST)
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)
        await self._outbox.close()
        self.pipeline.shutdown()
        if self._is_capturing:
            self._is_capturing = False
            capture.uninstall()

    async def _announce_shutdown(self) -> bool:
        """Get no more jobs, and give those back that are not started. Returns whether the server counts jobs here."""
        try:
            worker = await self.connection.request("POST", f"/api/workers/{self.id}/shutdown")
        except (WorkroomError, OSError) as error:
            log.debug("shutdown not announced: %s", error)  # the server notices when the lease ends
            return False
        return worker["state"] != "gone"

    async def _remove_with_jobs(self) -> None:
        """The jobs that did not stop are abandoned: their policy applies now, not when the reconnect grace ends."""
        try:
            await self.connection.request("DELETE", f"/api/workers/{self.id}")
        except (WorkroomError, OSError) as error:
            log.debug("worker not removed: %s", error)

    def _registration(self) -> dict[str, Any]:
        return {
            "room": self._room,
            "extensions": [offer.as_message(breaker=self._breaker) for offer in self.offers],
            "capacity": self._capacity or self.offers.capacity,
            "info": process_info(self._name),
            "resources": self._resources,
            "secondsLeft": self.ending.seconds_left(),
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
                self._queue_for_pickup(execution)
                self._arrived.notify()
        return {"ok": True}

    def _queue_for_pickup(self, execution: Execution) -> None:
        """A job that was not picked up in time is assigned again as a new attempt, which replaces the older one."""
        previous = self._for_pickup.pop(execution.assignment.job_id, None)
        if previous is not None:
            self._executions.pop(previous.assignment.key, None)
        self._for_pickup[execution.assignment.job_id] = execution

    async def run(self, execution: Execution) -> None:
        try:
            await self.pipeline.execute(execution)
        finally:
            self.jobs_done += 1
            self.ending.touch()
            self._executions.pop(execution.assignment.key, None)

    async def _cancel(self, body: Any) -> None:
        execution = self._executions.get((UUID(body["jobId"]), int(body["attempt"])))
        if execution is not None:
            execution.request_stop(Stop.CANCEL)

    def _execution(self, assignment: Assignment) -> Execution:
        name = {"jobId": str(assignment.job_id), "attempt": assignment.attempt}
        execution = Execution(assignment, JobReporter(asyncio.get_running_loop(), name, self._send_event))
        execution.reporter.on_lost = lambda: execution.request_stop(Stop.LOST)
        return execution

    async def _send_event(self, name: str, body: dict[str, Any]) -> None:
        check_acknowledgement(await self.connection.call(name, body))

    async def _reconcile(self) -> None:
        """After registering again: stop the jobs that the server has taken from this worker meanwhile."""
        answer = await self.connection.request("GET", f"/api/workers/{self.id}/jobs")
        held = {(UUID(job["jobId"]), int(job["attempt"])) for job in answer["items"]}
        for key, execution in list(self._executions.items()):
            if key not in held and execution.is_performing:
                log.warning(
                    "%s was taken from this worker while it was disconnected: stopping it", execution.assignment
                )
                execution.request_stop(Stop.LOST)

    async def _deliver(self, reports: Sequence[PendingReport], seconds: float) -> list[WorkroomError | None]:
        """Send by socket; by REST if the batch is too large for it or the socket is down."""
        incarnation = self.connection.incarnation
        if self.connection.is_attached and sum(pending.size for pending in reports) <= SOCKET_BYTES:
            answers = await self._report_by_socket(reports, seconds)
        else:
            answers = [await self._report_by_rest(pending) for pending in reports]
        if any(isinstance(answer, WorkerLost) for answer in answers):
            await self.connection.reregister(incarnation)
        return answers

    async def _report_by_socket(self, reports: Sequence[PendingReport], seconds: float) -> list[WorkroomError | None]:
        bodies = [pending.body for pending in reports]
        answer = await self.connection.call("job:status", bodies, answer_seconds=seconds)
        if not answer.get("ok"):
            if len(reports) > 1:  # one report may make the server refuse all: send each alone
                return [(await self._report_by_socket([pending], seconds))[0] for pending in reports]
            return [_refusal(answer)]
        return [None if each.get("ok") else _refusal(each) for each in answer["answers"]]

    async def _report_by_rest(self, pending: PendingReport) -> WorkroomError | None:
        body = {key: value for key, value in pending.body.items() if key not in ("jobId", "confirm")} | {
            "workerId": str(self.id)
        }
        try:
            await self.connection.request("PUT", f"/api/jobs/{pending.body['jobId']}/status", body)
        except NotSignedIn:
            return WorkerLost()
        except NotFound:
            return AttemptLost("The job does not exist any more.")
        except WorkroomError as error:
            return error
        return None


def _refusal(answer: dict[str, Any]) -> WorkroomError:
    return error_of(str(answer.get("code")), int(answer.get("status", 500)), str(answer.get("message", "")))
