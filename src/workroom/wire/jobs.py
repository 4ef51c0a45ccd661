"""Messages about jobs and the extensions they call."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import AwareDatetime, Field

from workroom.domain.jobs.job_error import AttemptEnd, FailureReason
from workroom.domain.jobs.states import State
from workroom.domain.jobs.wait_reason import WaitingFor
from workroom.wire.base import Answer, ExtensionScope, Request, Scope


class Submission(Request):
    """One job of an extension."""

    data: dict[str, Any] = Field(default_factory=dict[str, Any])
    priority: int | None = Field(None, ge=0, le=10)
    scope: str | None = Field(None, description="room, global or builtin; the first that matches if omitted.")
    depends_on: list[UUID] = Field(default_factory=list[UUID], max_length=1_000)
    idempotency_key: str | None = Field(None, min_length=1, max_length=200)
    tries: int | None = Field(None, ge=1, le=100)
    run_at: AwareDatetime | None = None


class InputFile(Answer):
    """An uploaded file, as the value of a field of an extension."""

    file: UUID
    name: str
    size: int = Field(description="Bytes.")


class Submissions(Request):
    """Many jobs of an extension."""

    data: list[dict[str, Any]] = Field(min_length=1, max_length=10_000)
    priority: int | None = Field(None, ge=0, le=10)
    scope: str | None = None


class Accepted(Answer):
    """The submitted job. A settings extension stores the values and has no job."""

    job_id: UUID | None
    status: Annotated[str, Field(json_schema_extra={"enum": [*State, "stored"]})]
    queue_position: int | None = None
    eta_seconds: float | None = None
    waiting_for: WaitingFor = WaitingFor.NOTHING
    waiting_text: str = Field(default="", description="What it waits for, as a sentence; empty if for nothing.")


class AllAccepted(Answer):
    job_ids: list[UUID]


class JobError(Answer):
    type: str = "Error"
    message: str = ""
    traceback: str = ""
    place: str | None = Field(default=None, description="File, line and function of the user's code that raised it.")
    reason: FailureReason | None = Field(
        default=None, description="Why the job failed, unless its own code raised the error."
    )


class StatusUpdate(Request):
    """A report of a worker on the status of a job."""

    status: str = Field(description="running (processing), completed (finished), failed or cancelled.")
    worker_id: UUID
    attempt: int = Field(ge=0, le=2_147_483_647)
    result: Any = None
    error: Any = None


class ProgressUpdate(Request):
    worker_id: UUID
    attempt: int = Field(ge=0, le=2_147_483_647)
    fraction: float | None = Field(None, ge=0, le=1)
    message: str = Field("", max_length=10_000)


class LogUpdate(Request):
    worker_id: UUID
    attempt: int = Field(ge=0, le=2_147_483_647)
    lines: list[str] = Field(max_length=10_000)


class ReportAccepted(Answer):
    """The server recorded a worker's report on a job."""

    job_id: UUID
    attempt: int


class StatusAccepted(ReportAccepted):
    status: State


class CancelAccepted(Answer):
    job_id: UUID
    status: State
    cancelling: bool = Field(description="The job is at a worker, and ends when the worker confirms.")


class Progress(Answer):
    fraction: float | None
    message: str


class Attempt(Answer):
    """An attempt that was followed by another."""

    attempt: int
    worker_id: UUID
    reason: AttemptEnd
    error: JobError | None
    assigned_at: datetime
    started_at: datetime | None
    ended_at: datetime


class JobBrief(Answer):
    """A job without its large fields."""

    job_id: UUID
    room: str | None
    scope: Scope
    category: str
    name: str
    status: State
    cancelling: bool
    priority: int
    attempt: int
    tries_left: int
    user_id: UUID
    user: str | None
    worker_id: UUID | None
    posting_id: UUID | None
    retry_of: UUID | None
    created_at: datetime
    run_at: datetime | None
    cancel_requested_at: datetime | None = Field(
        None, description="When it was asked to stop. A job that does not check for that can complete nevertheless."
    )
    assigned_at: datetime | None
    started_at: datetime | None
    finished_at: datetime | None
    wait_time_ms: float | None
    execution_time_ms: float | None
    progress: Progress | None


class JobDetail(JobBrief):
    """Everything recorded about a job."""

    data: Any
    result: Any
    error: JobError | None
    attempts: list[Attempt]
    queue_position: int | None
    eta_seconds: float | None
    waiting_for: WaitingFor
    waiting_text: str = Field(default="", description="What it waits for, as a sentence; empty if for nothing.")
    timeout_seconds: float | None


class DependencyNode(Answer):
    """A job or a posting in a graph of dependencies."""

    kind: Literal["job", "posting"]
    id: UUID
    category: str
    name: str
    status: str
    created_at: datetime
    finished_at: datetime | None


class DependencyEdge(Answer):
    """A job and what it depends on."""

    job_id: UUID
    needs: UUID = Field(description="A job or a posting.")
    ended_at: datetime | None = Field(description="Since when the job does not wait for it; null: it does.")


class DependencyGraph(Answer):
    """What a job needs and what needs it, directly and through others."""

    nodes: list[DependencyNode]
    edges: list[DependencyEdge]


class RoomQueue(Answer):
    """How many jobs of a room have not ended, without those of postings, and the head of the queue."""

    working: int = Field(description="Jobs that a worker has.")
    waiting: int = Field(description="Jobs that wait for a worker, for their start or for other jobs.")
    items: list[JobBrief] = Field(description="Working jobs first, then waiting ones in the order of the queue.")


class ListedJob(JobBrief):
    """A job in a list: its arguments and its outcome in one line each. The details of the job have them in full."""

    data_text: str = Field("", description="The arguments; … when they are long or have secrets.")
    result_text: str | None = None
    error_text: str | None = None
    worker: str | None = Field(None, description="The name of its worker, or of the worker's machine.")
    waiting_for: WaitingFor = WaitingFor.NOTHING
    waiting_text: str = Field(default="", description="What it waits for, as a sentence; empty if for nothing.")


class Jobs(Answer):
    items: list[ListedJob]
    next: UUID | None = Field(
        None,
        description="The value of `before` for the next page; null on the last page, and where `offset` counts. A page "
        "that is not full can have a next one: a request compares a bounded number of jobs with the filters.",
    )
    compared_since: datetime | None = Field(
        None, description="When older jobs were not compared with the filters: the time of the oldest that was."
    )


class LogLine(Answer):
    line: int
    attempt: int
    at: datetime
    text: str


class LogLines(Answer):
    items: list[LogLine]


class ExtensionInfo(Answer):
    """An extension that is visible in a room."""

    scope: ExtensionScope
    category: str
    name: str
    schema_: dict[str, Any] = Field(alias="schema")
    schema_hash: str
    timeout_seconds: float | None
    tries: int
    on_worker_lost: str
    priority: int
    concurrency: int | None
    resources: dict[str, float] = Field(description="What a job of it needs of its worker, by name.")
    paused: bool
    state: Literal["online", "offline"] = Field(description="offline: no worker is attached; its jobs wait.")
    last_offered_by: str | None = Field(description="While it is offline: the user of its last worker.")
    last_offered_at: datetime | None = Field(description="While it is offline: when its last worker left.")
    removable: bool = Field(description="Whether you may remove it now.")
    idle_workers: int
    busy_workers: int
    breakers_open: int
    pending_jobs: int
    active_jobs: int


class Extensions(Answer):
    items: list[ExtensionInfo]


class Stats(Answer):
    """Statistics of an extension."""

    idle_workers: int
    busy_workers: int
    pending_jobs: int
    active_jobs: int
    blocked_jobs: int
    completed_jobs: int
    failed_jobs: int
    cancelled_jobs: int
    mean_run_ms: float | None
