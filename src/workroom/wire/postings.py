"""Messages about postings: many jobs of one function, or of one extension in a room.

Arguments and results of functions are plain JSON; what JSON cannot say exactly is an object with the one key "~":
`{"~": ["tuple", [1, 2]]}`, `{"~": ["float", "nan"]}`, `{"~": ["bytes", "AP8="]}`.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import AwareDatetime, Field

from workroom.domain.jobs.states import State
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
        description="In a `keyed` posting: what makes this call unique; none: nothing.",
    )


class PostingOptions(Request):
    """How the jobs of a posting are to be run; what is left out is as the function or extension says."""

    label: Label = Field("", description="What to call it.")
    priority: int | None = Field(None, ge=0, le=10)
    tries: int | None = Field(None, ge=1, le=100, description="How often each job is tried in all.")
    depends_on: list[UUID] = Field(
        default_factory=list[UUID], max_length=1_000, description="Postings and jobs that must complete first."
    )
    run_at: AwareDatetime | None = Field(None, description="Not before this time.")
    unique: Text | None = Field(
        None, min_length=1, max_length=200, description="The same key again answers the posting that has it already."
    )


class PostingHeader(PostingOptions):
    """A posting of a function, without its calls: the first line of a stream."""

    function: str = Field(min_length=1, max_length=100, examples=["resize"])
    room: str | None = Field(None, max_length=200, description="The room it belongs to, if any.")
    keyed: bool = Field(
        False, description="Leave out calls whose `key` a job of the function has that has not ended yet."
    )
    timeout_seconds: float | None = Field(
        None, gt=0, le=31_536_000, description="How long a call may take, for a function nobody has offered yet."
    )


class NewPosting(PostingHeader):
    """A posting of a function. More calls than fit here go through `POST /api/postings/stream`."""

    jobs: list[Call] = Field(max_length=10_000)


class Sweep(PostingOptions):
    """One extension, many sets of arguments: listed as `jobs`, or every combination of `over` on top of `data`."""

    data: dict[str, Any] = Field(default_factory=dict[str, Any], description="What all jobs have in common.")
    over: dict[str, list[Any]] = Field(
        default_factory=dict[str, list[Any]],
        max_length=20,
        description="The values of each swept parameter; the last one changes fastest. `a.b` is b in a.",
        examples=[{"fmax": [0.1, 0.05, 0.01]}],
    )
    jobs: list[dict[str, Any]] | None = Field(None, min_length=1, max_length=10_000)
    scope: str | None = Field(None, description="room, global or builtin; the first that has it when left out.")


class PostingInfo(Answer):
    """A posting and how far it is."""

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
    duplicates: int = Field(description="Calls left out because a job that had not ended had the same key.")
    remaining: int = Field(description="Neither completed, failed nor cancelled yet.")
    rate: float | None = Field(description="Jobs that ended in a second, lately; over its life once it has ended.")
    eta_seconds: float | None = Field(description="When it may be through, at this rate; none while nothing moves.")
    user_id: UUID
    user: str | None
    unique: str | None
    created_at: datetime
    finished_at: datetime | None


class PostingDetail(PostingInfo):
    """A posting, how far it is, and how many of its jobs are at workers."""

    active: int


class Postings(Answer):
    items: list[PostingInfo]
    next: UUID | None = Field(None, description="Give this as `before` for the next page; none at the end.")


class PostingActed(Answer):
    """What became of pausing, resuming or cancelling."""

    posting_id: UUID
    status: PostingStatus
    jobs: int = Field(description="How many jobs it concerned at once.")


class RetryPosted(Answer):
    """The new posting of the failed jobs."""

    posting: PostingInfo | None = Field(description="None when none has failed.")


class PostedJob(JobBrief):
    """A job of a posting."""

    position: int = Field(description="Its place in the posting, from 0.")
    data: Any = Field(description="Its arguments: `{args, kwargs}` of a function, the parameters of an extension.")


class PostedJobs(Answer):
    items: list[PostedJob]
    next: int | None = Field(None, description="Give this as `position` for the next page; none at the end.")


class JobResult(Answer):
    """What became of a job of a posting."""

    position: int
    job_id: UUID
    status: State
    result: Any
    error: JobError | None


class JobResults(Answer):
    items: list[JobResult]
    next: int | None = Field(None, description="Give this as `position` for the next page; none at the end.")


class JobFailure(Answer):
    """A job of a posting that has failed for good."""

    position: int
    job_id: UUID
    attempts: int
    data: Any
    error: JobError


class JobFailures(Answer):
    items: list[JobFailure]
    next: int | None = Field(None, description="Give this as `position` for the next page; none at the end.")
