"""Sends `job:assigned` and `job:cancel` to the sockets of remote workers."""

from __future__ import annotations

from typing import Any, Self
from uuid import UUID

from workroom.actions.engine import Engine
from workroom.actions.events import AssignmentsRepeated, CancelRequested, JobsAssigned
from workroom.actions.queries import extensions as extension_queries
from workroom.server.auth.tokens import JobToken, TokenIssuer
from workroom.server.realtime.hub import SocketHub
from workroom.server.realtime.ordered_sender import OrderedSender
from workroom.store.queue_tables.extensions import ExtensionRow
from workroom.store.queue_tables.job_rows import Claimed

# Longer than any job: the server compares the token's attempt with the job's row at each use.
_JOB_TOKEN_SECONDS = 30 * 86_400.0

WorkerEvent = JobsAssigned | AssignmentsRepeated | CancelRequested


class AssignmentPush:
    """Has a queue of its own, so that assignments do not wait for the events that rooms receive."""

    def __init__(self, sockets: SocketHub, engine: Engine, tokens: TokenIssuer) -> None:
        self._hub = sockets
        self._engine = engine
        self._tokens = tokens
        self._queue = OrderedSender("assignment push", self._load_and_send)
        self._extensions: dict[int, ExtensionRow] = {}  # until they are offered anew

    async def __aenter__(self) -> Self:
        await self._queue.__aenter__()
        return self

    async def __aexit__(self, *exit_info: object) -> None:
        await self._queue.__aexit__(*exit_info)

    def push(self, event: WorkerEvent) -> None:
        """Send an event at once, if none is queued before it and its extensions are cached. Queue it otherwise."""
        if self._queue.idle and _extension_ids(event) <= self._extensions.keys():
            self._send(event)
        else:
            self._queue.put(event)

    def forget_extension(self, extension_id: int) -> None:
        """A worker has offered the extension anew: its schema or time limit may have changed."""
        self._extensions.pop(extension_id, None)

    async def _load_and_send(self, event: WorkerEvent) -> None:
        extensions = {
            extension_id: self._extensions.get(extension_id)
            or await extension_queries.extension(self._engine, extension_id)
            for extension_id in _extension_ids(event)
        }
        self._extensions |= extensions
        self._send(event)

    def _send(self, event: WorkerEvent) -> None:
        match event:
            case JobsAssigned(worker_id, jobs) | AssignmentsRepeated(worker_id, jobs):
                for job in jobs:
                    body = self._assignment(worker_id, job, self._extensions[job.extension_id])
                    self._hub.emit_to_worker("job:assigned", body, worker_id)
            case CancelRequested(worker_id, job_id, attempt):
                self._hub.emit_to_worker("job:cancel", {"jobId": str(job_id), "attempt": attempt}, worker_id)

    def _assignment(self, worker_id: UUID, job: Claimed, extension: ExtensionRow) -> dict[str, Any]:
        token = JobToken(job.id, worker_id, job.attempt, job.room)
        return {
            "jobId": str(job.id),
            "attempt": job.attempt,
            "triesLeft": job.tries_left,
            "room": job.room,
            "scope": extension.scope,
            "category": extension.category,
            "name": extension.name,
            "data": job.arguments,
            "jobToken": self._tokens.issue(token, _JOB_TOKEN_SECONDS),
            "timeoutSeconds": extension.timeout_seconds,
        }


def _extension_ids(event: WorkerEvent) -> set[int]:
    return set() if isinstance(event, CancelRequested) else {job.extension_id for job in event.jobs}
