"""Options of a job, as its submitter sets them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import UUID

from workroom.domain import limits
from workroom.domain.errors import BadInput, NotFound, TooLarge
from workroom.domain.jobs.fair_queue import HIGHEST_PRIORITY, LOWEST_PRIORITY
from workroom.store.queue_tables.extensions import ExtensionRow
from workroom.store.room_tables.rooms import AccessSnapshot

_LATEST_START = datetime(9999, 1, 1, tzinfo=UTC)  # Python cannot represent all times that PostgreSQL can


@dataclass(frozen=True, slots=True)
class Dependencies:
    """Jobs and postings that must complete before a job may run."""

    jobs: tuple[UUID, ...] = ()
    postings: tuple[UUID, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.jobs or self.postings)


@dataclass(frozen=True, slots=True)
class JobOptions:
    """Options of a job; none means the setting of the extension."""

    submitter: UUID
    room: str | None = None
    priority: int | None = None
    tries: int | None = None
    on_worker_lost: str | None = None
    run_at: datetime | None = None
    dependencies: Dependencies = Dependencies()
    idempotency_key: str | None = None
    retry_of: UUID | None = None
    submitter_name: str | None = None  # if known; saves the publisher a query
    access_snapshot: AccessSnapshot | None = None  # set when access was granted from the cache; the statement checks it


def validate_options(options: JobOptions) -> None:
    if options.priority is not None and not LOWEST_PRIORITY <= options.priority <= HIGHEST_PRIORITY:
        raise BadInput(f"priority must be {LOWEST_PRIORITY} to {HIGHEST_PRIORITY}, not {options.priority}.")
    if options.tries is not None and not 1 <= options.tries <= 100:
        raise BadInput(f"tries must be 1 to 100, not {options.tries}.")
    if options.run_at is not None and options.run_at >= _LATEST_START:
        raise BadInput("The start time of a job must be before the year 9999.")
    key = options.idempotency_key
    if key is not None and not (1 <= len(key) <= limits.KEY_LENGTH and "\0" not in key):
        raise BadInput(f"An idempotency key has 1 to {limits.KEY_LENGTH} characters, and no NUL.")
    if len(options.dependencies.jobs) + len(options.dependencies.postings) > limits.DEPENDENCIES_PER_JOB:
        raise TooLarge(f"A job can depend on at most {limits.DEPENDENCIES_PER_JOB} others.")


def extension_gone(extension: ExtensionRow) -> NotFound:
    return NotFound(
        f"{extension.category}/{extension.name} was removed or has another schema now: load its form again."
    )
