"""The interface of a posting backend, and the choice between the two.

A process that has a database uses `PostgresBackend`. One without, on a laptop or inside a job of a remote worker, uses
`HttpBackend`, which goes through a server. Postings behave the same with both.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol
from uuid import UUID

from workroom.domain.errors import DatabaseUnreachable, ServerUnreachable
from workroom.domain.jobs.wait_reason import WaitReason
from workroom.extras import naming_extras
from workroom.worker.execution.execution_state import CURRENT, Execution

if TYPE_CHECKING:
    from workroom.worker.function_registry import Function, PostingOptions


PAGE = 2_000  # outcomes at once, at most


class PostingCounts(Protocol):
    """A posting and its counters."""

    @property
    def name(self) -> str: ...
    @property
    def status(self) -> str: ...
    @property
    def total(self) -> int: ...
    @property
    def completed(self) -> int: ...
    @property
    def failed(self) -> int: ...
    @property
    def cancelled(self) -> int: ...


class JobOutcome(NamedTuple):
    """How one job ended; its result is still packed."""

    job_id: UUID
    state: str
    result: Any
    error: dict[str, Any] | None


class FailedJob(NamedTuple):
    """A job that has failed and is not tried again; its arguments are still packed."""

    job_id: UUID
    attempts: int
    arguments: Any
    error: dict[str, Any]


class PostingBackend(Protocol):
    """The operations on postings. A position counts the jobs of a posting from 0; None means that there are no more."""

    async def post(self, function: Function[..., Any], calls: Iterable[Any], options: PostingOptions) -> UUID: ...
    async def newest(self, kind: Literal["posting", "job"], limit: int) -> list[UUID]:
        """The caller's postings, or jobs that belong to no posting, the newest first."""
        ...

    async def look(self, posting: UUID) -> PostingCounts: ...
    async def wait_reason(self, posting: UUID) -> WaitReason: ...
    async def ended(self, posting: UUID, since: float, seconds: float) -> bool: ...
    async def outcomes(
        self, posting: UUID, position: int, limit: int = PAGE
    ) -> tuple[list[JobOutcome], int | None]: ...
    async def failures(self, posting: UUID, position: int) -> tuple[list[FailedJob], int | None]: ...
    async def pause(self, posting: UUID) -> int: ...
    async def resume(self, posting: UUID) -> int: ...
    async def cancel(self, posting: UUID) -> int: ...
    async def retry_failed(self, posting: UUID) -> UUID | None: ...


@dataclass(frozen=True, slots=True)
class BackendTarget:
    """What selects the backend: the arguments of the caller, and the job whose code is calling, if any."""

    database: str | None = None
    url: str | None = None
    token: str | None = None
    job: Execution | None = None

    @classmethod
    def here(cls, database: str | None, url: str | None, token: str | None) -> BackendTarget:
        """To be called in the caller's own thread, whose context knows the job."""
        return cls(database, url, token, CURRENT.get())


async def resolve_backend(target: BackendTarget) -> PostingBackend:
    """The backend for a target. To be called on the background loop, which owns its connections."""
    from workroom.worker.postings.http_backend import open_http_backend, open_job_backend

    if target.database is None and target.url is None and target.job is not None and target.job.url:
        return open_job_backend(target.job)
    if target.url or (target.database is None and _only_server_configured()):
        return await open_http_backend(target.url, target.token)
    try:
        if target.database is None and not os.environ.get("WORKROOM_DATABASE") and find_spec("psycopg") is None:
            raise DatabaseUnreachable
        with naming_extras():
            from workroom.worker.postings.postgres_backend import open_postgres_backend

        return await open_postgres_backend(target.database)
    except DatabaseUnreachable as no_database:
        if target.database is not None or os.environ.get("WORKROOM_DATABASE"):
            raise
        try:
            return await open_http_backend(None, target.token)
        except ServerUnreachable:
            raise ServerUnreachable(
                "No database and no server is configured. Start one here with `workroom serve`, set WORKROOM_URL to "
                "the URL of a server, or WORKROOM_DATABASE to that of a PostgreSQL."
            ) from no_database


def _only_server_configured() -> bool:
    """Whether the environment names a server and no database."""
    return bool(os.environ.get("WORKROOM_URL")) and not os.environ.get("WORKROOM_DATABASE")
