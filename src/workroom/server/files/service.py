"""The file service: uploads and the converter, with a background task that removes old uploads."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Annotated, cast
from uuid import UUID

from fastapi import Depends
from starlette.requests import HTTPConnection

from workroom.actions.events import Event, JobsMoved
from workroom.domain.jobs.states import FINAL, State
from workroom.server.background_service import BackgroundService
from workroom.server.files.body_spool import BodySpool, UploadBudget, received
from workroom.server.files.converter import Converter
from workroom.server.files.upload_store import UploadStore


class FileService(BackgroundService):
    """Tracks which job opens which upload, and removes the upload when the job ends."""

    name = "uploads"
    pause = 3_600.0

    def __init__(self, folder: Path, convert: Sequence[str], budget: UploadBudget) -> None:
        super().__init__()
        self.uploads = UploadStore(folder)
        self.budget = budget
        self._folder = folder
        self.converter = Converter(convert)
        self._uploads_by_job: dict[UUID, tuple[str, str]] = {}

    def received(
        self, account: UUID, chunks: AsyncIterator[bytes], when_large: Callable[[], Awaitable[object]]
    ) -> AbstractAsyncContextManager[BodySpool]:
        """Receive the body of an upload in whole. `when_large` is awaited once the body is large."""
        return received(self.budget, self._folder, account, chunks, when_large)

    def remove_after_job(self, job_id: UUID, room: str, upload: str) -> None:
        self._uploads_by_job[job_id] = room, upload

    def on_events(self, events: Sequence[Event]) -> None:
        if not self._uploads_by_job:
            return
        for event in events:
            if isinstance(event, JobsMoved):
                for job in event.jobs:
                    if State(job.state) in FINAL and (upload := self._uploads_by_job.pop(job.id, None)):
                        self.uploads.remove(*upload)

    async def run_once(self) -> None:
        await asyncio.to_thread(self.uploads.sweep)


async def _get_files(connection: HTTPConnection) -> FileService:
    return cast(FileService, connection.app.state.files)


Files = Annotated[FileService, Depends(_get_files)]
