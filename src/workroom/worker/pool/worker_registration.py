"""The registration of a pool process as a worker, and its calls to the database."""

from __future__ import annotations

import asyncio
import os
import platform
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self, TypeVar
from uuid import UUID

from workroom.actions.engine import Engine
from workroom.actions.workers.lifecycle import WorkerSpec, leave, register_worker
from workroom.domain.errors import Unavailable
from workroom.domain.jobs.resources import Resources
from workroom.logs import get_logger
from workroom.worker.function_registry import Function
from workroom.worker.pool.batch_size import LARGEST
from workroom.worker.postings.postgres_backend import extension_spec
from workroom.worker.walltime import Walltime

log = get_logger(__name__)
T = TypeVar("T")

# A batch in the buffer, one fetched ahead, and the reports of two more.
_CAPACITY = 4 * LARGEST
_LONGEST_PAUSE = 1.0


@dataclass(frozen=True, slots=True)
class PoolSession:
    """One registered worker."""

    engine: Engine
    worker_id: UUID
    host: str
    functions: Mapping[int, Function[..., Any]]  # by the id of their extension

    @classmethod
    async def register(
        cls,
        engine: Engine,
        functions: Sequence[Function[..., Any]],
        celery_info: Mapping[str, Any] | None = None,
        resources: Resources | None = None,
        walltime: Walltime | None = None,
    ) -> Self:
        """Register as a pool process, or as a process of a Celery worker, which runs one job at a time."""
        host = platform.node()
        info: dict[str, Any] = {"pid": os.getpid(), "host": host}
        spec = WorkerSpec(
            "pool" if celery_info is None else "celery",
            [extension_spec(function) for function in functions],
            capacity=_CAPACITY if celery_info is None else 1,
            info=info | dict(celery_info or {}),
            resources=resources or {},
            seconds_left=None if walltime is None else walltime.seconds_left(),
        )
        registration = await register_worker(engine, spec)
        by_extension = {
            extension.id: function for extension, function in zip(registration.extensions, functions, strict=True)
        }
        return cls(engine, registration.worker_id, host, by_extension)

    async def leave(self) -> None:
        """Unregister. The database releases whatever this worker still holds."""
        await self.retry_forever(lambda: leave(self.engine, self.worker_id))

    async def retry_forever(self, call: Callable[[], Awaitable[T]]) -> T:
        """Repeat the call for as long as the database is unavailable."""
        pause = 0.1
        while True:
            try:
                return await call()
            except Unavailable as error:
                log.warning("process %d: database unavailable, retrying in %g s: %s", os.getpid(), pause, error.message)
                await asyncio.sleep(pause)
                pause = min(2 * pause, _LONGEST_PAUSE)
