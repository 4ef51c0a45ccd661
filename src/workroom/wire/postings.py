"""Messages about postings: many jobs of one function, or of one extension in a room.

Arguments and results of functions are JSON. A value that JSON cannot represent is an object with the single key "~":
`{"~": ["tuple", [1, 2]]}`, `{"~": ["float", "nan"]}`, `{"~": ["bytes", "AP8="]}`.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import AwareDatetime, Field

from workroom.domain.jobs.resources import MOST_NAMES
from workroom.domain.jobs.states import State
from workroom.domain.jobs.wait_reason import WaitingFor
from workroom.wire.base import Answer, Request, Scope, Text
from workroom.wire.jobs import JobBrief, JobError

PostingStatus = Literal["executing", "paused", "completed", "failed", "cancelled"]
Label = Annotated[Text, Field(max_length=200)]


class Call(Request):
    """One call of a function."""

    args: list[Any] = Field(default_factory=list[Any], examples=[["a.png", 100]])
    kwargs: dict[str, Any] = Field(default_factory=dict[str, Any])
    key: Text | None = Field(
        None,
        min_length=1,
        max_length=200,
        description="In a `keyed` posting: the key of this call; null: the call is never a duplicate.",
    )


class PostingOptions(Request):
    """Options of the jobs of a posting. Omitted options have the default of the function or extension."""

    label: Label = Field("", description="A name for people.")
    priority: int | None = Field(None, ge=0, le=10)
    tries: int | None = Field(None, ge=1, le=100, description="The number of attempts of each job.")
    depends_on: list[UUID] = Field(
        default_factory=list[UUID], max_length=1_000, description="Postings and jobs that must complete first."
    )
    run_at: AwareDatetime | None = Field(None, description="Not before this time.")
    unique: Text | None = Field(
        None, min_length=1, max_length=200, description="A second posting with the same key returns the first one."
    )


class PostingHeader(PostingOptions):
    """A posting of a function, without its calls: the first line of a stream."""

    function: str = Field(min_length=1, max_length=100, examples=["resize"])
    room: str | None = Field(None, max_length=200, description="The room it belongs to, if any.")
    keyed: bool = Field(False, description="Skip a call if an unfinished job of the function has the same `key`.")
    timeout_seconds: float | None = Field(
        None, gt=0, le=31_536_000, description="Time-out of a call, used if no worker has registered the function yet."
    )
    resources: dict[str, float] = Field(
        default_factory=dict[str, float],
        max_length=MOST_NAMES,
        description="What a call needs of its worker, by name; used if no worker has registered the function yet.",
    )


class NewPosting(PostingHeader):
    """A posting of a function. More calls than fit here go through `POST /api/postings/stream`."""

    jobs: list[Call] = Field(max_length=10_000)


class Sweep(PostingOptions):
    """One extension, many sets of arguments: listed as `jobs`, or every combination of `over` on top of `data`."""

    data: dict[str, Any] = Field(default_factory=dict[str, Any], description="Arguments that all jobs share.")
    over: dict[str, list[Any]] = Field(
        default_factory=dict[str, list[Any]],
        max_length=20,
        description="The values of each swept parameter; the last one changes fastest. `a.b` is b in a.",
        examples=[{"fmax": [0.1, 0.05, 0.01]}],
    )
    jobs: list[dict[str, Any]] | None = Field(None, min_length=1, max_length=10_000)
    scope: str | None = Field(None, description="room, global or builtin; the first that matches if omitted.")


class PostingInfo(Answer):
    """A posting and its progress."""

    posting_id: UUID
    scope: Scope = Field(description="function, or where its extension is visible: room, global, builtin.")
    category: str
    name: str = Field(description="The function, or the extension.")
    room: str | None
    label: str
    status: PostingStatus
    priority: int
    tries: int
    total: int
    completed: int
    failed: int
    cancelled: int
    duplicates: int = Field(description="Calls skipped because an unfinished job had the same key.")
    remaining: int = Field(description="Unfinished jobs.")
    rate: float | None = Field(description="Jobs per second, recently; over the whole time once the posting has ended.")
    eta_seconds: float | None = Field(description="Estimated seconds to the end at this rate; null if no job ends.")
    waiting_for: WaitingFor = Field(
        description="Why none of its jobs is at a worker; `nothing` if one is, or it has ended."
    )
    waiting_text: str = Field(default="", description="What it waits for, as a sentence; empty if for nothing.")
    user_id: UUID
    user: str | None
    unique: str | None
    created_at: datetime
    finished_at: datetime | None


class PostingDetail(PostingInfo):
    """A posting, its progress, and the number of its jobs at workers."""

    active: int


class Postings(Answer):
    items: list[PostingInfo]
    next: UUID | None = Field(None, description="The value of `before` for the next page; null on the last page.")


class PostingActed(Answer):
    """The result of pausing, resuming or cancelling."""

    posting_id: UUID
    status: PostingStatus
    jobs: int = Field(description="The number of affected jobs.")


class RetryPosted(Answer):
    """The new posting of the failed jobs."""

    posting: PostingInfo | None = Field(description="Null if no job has failed.")


class PostedJob(JobBrief):
    """A job of a posting."""

    position: int = Field(description="Its position in the posting, from 0.")
    data: Any = Field(description="Its arguments: `{args, kwargs}` of a function, the parameters of an extension.")


class PostedJobs(Answer):
    items: list[PostedJob]
    next: int | None = Field(None, description="The value of `position` for the next page; null on the last page.")


class JobResult(Answer):
    """The outcome of a job of a posting."""

    position: int
    job_id: UUID
    status: State
    result: Any
    error: JobError | None


class JobResults(Answer):
    items: list[JobResult]
    next: int | None = Field(None, description="The value of `position` for the next page; null on the last page.")


class JobFailure(Answer):
    """A failed job of a posting."""

    position: int
    job_id: UUID
    attempts: int
    data: Any
    error: JobError


class JobFailures(Answer):
    items: list[JobFailure]
    next: int | None = Field(None, description="The value of `position` for the next page; null on the last page.")
