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
from workroom.logs import get_logger
from workroom.worker.function_registry import Function
from workroom.worker.pool.batch_size import LARGEST
from workroom.worker.postings.postgres_backend import extension_spec

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
    async def register(cls, engine: Engine, functions: Sequence[Function[..., Any]]) -> Self:
        host = platform.node()
        specs = [extension_spec(function) for function in functions]
        spec = WorkerSpec("pool", specs, capacity=_CAPACITY, info={"pid": os.getpid(), "host": host})
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
