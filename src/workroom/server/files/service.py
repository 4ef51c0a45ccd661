"""The file service: uploads and the converter, with a background task that removes old uploads."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Annotated, NamedTuple, cast
from uuid import UUID

from fastapi import Depends
from starlette.requests import HTTPConnection

from workroom.actions.events import Event, JobsMoved
from workroom.domain.jobs.states import FINAL, State
from workroom.server.background_service import BackgroundService
from workroom.server.files.body_spool import BodySpool, UploadBudget, received
from workroom.server.files.converter import Converter
from workroom.server.files.upload_store import KEPT_SECONDS, UploadStore
from workroom.server.replicas.bus import ReplicaBus


class _Tracked(NamedTuple):
    """An upload whose job has not ended, as far as is known."""

    room: str
    upload: str
    since: float


class FileService(BackgroundService):
    """Tracks which job opens which upload, and removes the upload when the job ends.

    Several servers share the folder. A job may end at any of them, so they tell each other what they track.
    """

    name = "uploads"
    pause = 3_600.0

    def __init__(self, folder: Path, convert: Sequence[str], budget: UploadBudget) -> None:
        super().__init__()
        self.uploads = UploadStore(folder)
        self.budget = budget
        self._folder = folder
        self.converter = Converter(convert)
        self._uploads_by_job: dict[UUID, _Tracked] = {}
        self._bus: ReplicaBus | None = None  # none: this is the only server

    def received(
        self, account: UUID, chunks: AsyncIterator[bytes], when_large: Callable[[], Awaitable[object]]
    ) -> AbstractAsyncContextManager[BodySpool]:
        """Receive the body of an upload in whole. `when_large` is awaited once the body is large."""
        return received(self.budget, self._folder, account, chunks, when_large)

    def connect_bus(self, bus: ReplicaBus) -> None:
        self._bus = bus
        bus.on("upload of job", lambda _, body: self._track(UUID(body[0]), body[1], body[2]))
        bus.on("upload removed", lambda _, body: self._forget(UUID(body)))

    def remove_after_job(self, job_id: UUID, room: str, upload: str) -> None:
        self._track(job_id, room, upload)
        if self._bus is not None:
            self._bus.send("upload of job", [str(job_id), room, upload])

    def on_events(self, events: Sequence[Event]) -> None:
        if not self._uploads_by_job:
            return
        for event in events:
            if isinstance(event, JobsMoved):
                for job in event.jobs:
                    if State(job.state) in FINAL and (tracked := self._uploads_by_job.pop(job.id, None)):
                        self.uploads.remove(tracked.room, tracked.upload)
                        if self._bus is not None:
                            self._bus.send("upload removed", str(job.id))

    def _forget(self, job_id: UUID) -> None:
        self._uploads_by_job.pop(job_id, None)

    def _track(self, job_id: UUID, room: str, upload: str) -> None:
        self._uploads_by_job[job_id] = _Tracked(room, upload, time.monotonic())

    async def run_once(self) -> None:
        await asyncio.to_thread(self.uploads.sweep)
        oldest = time.monotonic() - KEPT_SECONDS
        for job_id in [one for one, tracked in self._uploads_by_job.items() if tracked.since < oldest]:
            del self._uploads_by_job[job_id]


async def _get_files(connection: HTTPConnection) -> FileService:
    return cast(FileService, connection.app.state.files)


Files = Annotated[FileService, Depends(_get_files)]
