"""Which jobs a list shows, and requests that act on many jobs."""

from __future__ import annotations

from datetime import datetime
from typing import Literal
from uuid import UUID

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from workroom.domain.jobs.job_filter import JobSort
from workroom.domain.jobs.states import State
from workroom.wire.base import WITHOUT_NUL, Answer, Request

# Jobs that one request may cancel or retry.
MOST_BULK_JOBS = 50_000


class JobConditions(BaseModel):
    """Conditions on jobs. A job must meet all that are given."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)

    category: str | None = Field(None, pattern=WITHOUT_NUL)
    name: str | None = Field(None, pattern=WITHOUT_NUL)
    search: str | None = Field(
        None, max_length=200, pattern=WITHOUT_NUL, description="A part of `category/name`, in any case."
    )
    text: str | None = Field(
        None,
        max_length=200,
        pattern=WITHOUT_NUL,
        description="Words that the arguments, or the error message, contain; ASCII letters in any case. Arguments "
        "above 2 kB, and those of forms with secrets, are not searched.",
    )
    user: str | None = Field(
        None, max_length=200, pattern=WITHOUT_NUL, description="A part of the submitter's name, in any case."
    )
    worker: str | None = Field(
        None,
        max_length=200,
        pattern=WITHOUT_NUL,
        description="A part of the worker's id, its name or its machine, in any case.",
    )
    since: AwareDatetime | None = Field(None, description="Submitted at this time or later.")
    until: AwareDatetime | None = Field(None, description="Submitted before this time.")
    error_type: str | None = Field(None, max_length=1_000, pattern=WITHOUT_NUL, description="The type of the error.")
    error_place: str | None = Field(
        None, max_length=1_000, pattern=WITHOUT_NUL, description="Where the error was raised; empty: not known."
    )
    single: bool = Field(False, description="Only jobs that belong to no posting.")


class JobQuery(JobConditions):
    """The query of a list of jobs."""

    status: list[str] | None = Field(None, description="Job states, repeated or separated by commas.")
    sort: JobSort = Field(JobSort.TIME, description="What the jobs are sorted by.")
    order: Literal["ascending", "descending"] = "descending"
    before: UUID | None = Field(
        None, description="Continue a list that is sorted by time: `next` of the previous page."
    )
    offset: int = Field(
        0, ge=0, le=100_000, description="Continue a list in another order: how many jobs come before this page."
    )
    limit: int = Field(50, ge=1, le=500)


class RoomJobQuery(JobQuery):
    """The query of the list of a room's jobs."""

    ids: list[UUID] | None = Field(None, alias="id", max_length=500, description="Only these jobs.")


class AllJobQuery(JobQuery):
    """The query of the list of all jobs."""

    room: str | None = Field(None, alias="roomId", pattern=WITHOUT_NUL)


class ErrorGroup(Answer):
    """Failed jobs with the same type of error, raised at the same place."""

    type: str
    place: str = Field(description="File, line and function of the code that raised it; empty: not known.")
    message: str = Field(description="The first line of the newest error.")
    jobs: int
    newest: UUID = Field(description="The newest of the jobs.")
    category: str
    name: str
    first_at: datetime
    last_at: datetime


class ErrorGroups(Answer):
    items: list[ErrorGroup]


class EndedTimes(Answer):
    """How many jobs ended, and the times that half and 95 % of the completed ones did not exceed; null without any."""

    completed: int
    failed: int
    cancelled: int
    wait_p50_ms: float | None = Field(description="From the submission to the start.")
    wait_p95_ms: float | None
    run_p50_ms: float | None = Field(description="From the start to the end.")
    run_p95_ms: float | None


class HistoryStep(EndedTimes):
    at: datetime = Field(description="When the step began.")


class ExtensionHistory(EndedTimes):
    scope: str
    category: str
    name: str


class JobHistory(Answer):
    """The jobs that ended over some days."""

    since: datetime
    step_seconds: int
    items: list[HistoryStep] = Field(description="Steps in which jobs ended, oldest first.")
    extensions: list[ExtensionHistory] = Field(description="The busiest extensions and functions.")


class HistoryQuery(BaseModel):
    """Which ended jobs a history counts."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)

    days: float = Field(7.0, gt=0, le=3_660, description="How many days before now.")
    category: str | None = Field(None, pattern=WITHOUT_NUL)
    name: str | None = Field(None, pattern=WITHOUT_NUL)
    search: str | None = Field(None, max_length=200, pattern=WITHOUT_NUL, description="A part of `category/name`.")


class JobFilter(JobConditions, Request):
    """The same filters as those of the lists of jobs."""

    room: str | None = Field(None, description="All rooms if omitted; then only admins act on the jobs of others.")
    status: list[State] | None = None
    mine: bool = Field(False, description="Only jobs that the caller submitted.")


class BulkAction(Request):
    """What to do with many jobs: `jobIds` or `filter` names them."""

    action: Literal["cancel", "retry"]
    job_ids: list[UUID] | None = Field(None, min_length=1, max_length=MOST_BULK_JOBS)
    filter: JobFilter | None = None
    dry_run: bool = Field(False, description="Only count the jobs, and change nothing.")


class BulkRefusal(Answer):
    """Jobs that were refused for the same reason."""

    code: str
    message: str
    count: int


class BulkResult(Answer):
    matched: int = Field(
        description="Jobs whose state and room let the caller cancel (not ended) or retry (ended) them."
    )
    done: int = Field(description="Jobs that were cancelled or retried; 0 with `dryRun`.")
    refused: list[BulkRefusal]
