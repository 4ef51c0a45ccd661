"""Writes submitted jobs in batches, one transaction for all jobs that wait for the same extension."""

from __future__ import annotations

from collections.abc import Sequence

from workroom.actions.engine import Engine
from workroom.actions.jobs.checked_requests import LargeValidation, SubmitRequest, submit_requests
from workroom.domain.errors import TooLarge, WorkroomError
from workroom.server.dispatch.batcher import Batcher
from workroom.store.queue_tables.job_rows import Submitted

_BATCH_LIMIT = 100


class SubmitBatcher:
    """Batches by extension: jobs of one extension would wait for the same row locks."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._batcher = Batcher[int, SubmitRequest, Submitted | WorkroomError | LargeValidation](
            self._write, limit=_BATCH_LIMIT, retry_alone=_is_unexpected
        )

    async def submit(self, request: SubmitRequest) -> Submitted:
        outcome = await self._batcher.put(request.extension.id, request)
        if isinstance(outcome, LargeValidation):
            (outcome,) = await submit_requests(self._engine, [request], validate_long=True)
        if isinstance(outcome, WorkroomError | LargeValidation):
            raise outcome
        return outcome

    async def _write(
        self, _: int, requests: Sequence[SubmitRequest]
    ) -> Sequence[Submitted | WorkroomError | LargeValidation]:
        return await submit_requests(self._engine, requests)


def _is_unexpected(error: Exception) -> bool:
    """One job has a value that the database refuses, or all together exceed one of its limits. Any other WorkroomError
    concerns the whole batch."""
    return isinstance(error, TooLarge) or not isinstance(error, WorkroomError)
