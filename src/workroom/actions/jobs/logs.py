"""What a running job reports besides its outcome: log lines and progress."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from workroom.actions.engine import Engine, Transaction
from workroom.actions.events import LinesLogged, ProgressMade
from workroom.domain.errors import AttemptLost, BadInput
from workroom.store.queue_tables import jobs
from workroom.store.queue_tables.job_rows import LogLine

LINES_KEPT = 1_000
_LONGEST_LINE = 2_000


async def append_log(engine: Engine, worker_id: UUID, job_id: UUID, attempt: int, lines: Sequence[str]) -> None:
    """Store lines that a job printed; only the last LINES_KEPT are kept."""
    clean = [line.replace("\x00", "�")[:_LONGEST_LINE] for line in lines][-LINES_KEPT:]

    async def work(transaction: Transaction) -> None:
        first = await jobs.append_log(
            transaction.connection, id=job_id, worker_id=worker_id, attempt=attempt, lines=clean, keep=LINES_KEPT
        )
        if first is None:
            raise AttemptLost(jobId=str(job_id), attempt=attempt)
        transaction.record(LinesLogged(job_id, attempt, first, tuple(clean)))

    await engine.transaction(work)


async def read_log(engine: Engine, job_id: UUID, *, after: int = 0, limit: int = LINES_KEPT) -> list[LogLine]:
    """The lines of a job after a given one."""
    async with engine.database.connection() as connection:
        return await jobs.read_log(connection, job_id, after=after, limit=limit)


async def report_progress(
    engine: Engine, worker_id: UUID, job_id: UUID, attempt: int, *, fraction: float | None, message: str = ""
) -> None:
    """Store how far a job is."""
    if fraction is not None and not 0 <= fraction <= 1:
        raise BadInput(f"fraction must be 0 to 1, not {fraction}.")
    async with engine.database.connection() as connection:
        stored = await jobs.progress(
            connection,
            id=job_id,
            worker_id=worker_id,
            attempt=attempt,
            fraction=fraction,
            message=message.replace("\x00", "�")[:1_000],
        )
    if stored is None:
        raise AttemptLost(jobId=str(job_id), attempt=attempt)
    engine.announce([ProgressMade(job_id, attempt, fraction, message[:1_000])])
