"""Postings through a server, for a process without access to the database."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Iterable, Iterator
from typing import TYPE_CHECKING, Any, Literal
from uuid import UUID, uuid4

import httpx2
import orjson

from workroom.client import discovery
from workroom.client.net.http import ApiClient, http_client, unreachable
from workroom.client.net.login_tokens import Login, UserTokens
from workroom.client.net.problems import error_in
from workroom.client.portal import background
from workroom.domain.errors import Unavailable
from workroom.domain.jobs.wait_reason import WaitReason
from workroom.wire.jobs import Jobs
from workroom.wire.postings import JobFailures, JobResults, PostingDetail, PostingInfo, Postings, RetryPosted
from workroom.worker.execution.execution_state import Execution
from workroom.worker.execution.job_room import JobAccess
from workroom.worker.postings.backend import PAGE, FailedJob, JobOutcome

if TYPE_CHECKING:
    from workroom.worker.function_registry import Function, PostingOptions

_CHUNK_BYTES = 64_000  # bytes of a request body at a time
_BUFFERED_BYTES = 1_000_000  # a shorter body is sent again when the server is unavailable
_TRIES = 4


class HttpBackend:
    """One server, with the rights of one user or job."""

    def __init__(self, access: ApiClient) -> None:
        self._access = access

    async def post(self, function: Function[..., Any], calls: Iterable[Any], options: PostingOptions) -> UUID:
        head = {
            "function": function.name,
            "label": options.label,
            "priority": options.priority,
            "tries": options.tries or function.tries,
            "timeoutSeconds": function.timeout,
            "resources": function.resources,
            "dependsOn": [str(dependency) for dependency in options.depends_on],
            "runAt": options.run_at,
            "room": options.room,
            "keyed": options.keyed,
            # With a key the posting can be sent again after a lost answer without being made twice.
            "unique": options.unique or uuid4().hex,
        }
        chunks = _body_chunks(head, _with_keys(calls) if options.keyed else calls)
        body = b""
        for chunk in chunks:
            body += chunk
            if len(body) > _BUFFERED_BYTES:
                return await self._post_stream(body, chunks)
        return await self._post_with_retries(body)

    async def newest(self, kind: Literal["posting", "job"], limit: int) -> list[UUID]:
        if kind == "posting":
            postings = Postings.model_validate(await self._access.get("/api/postings", mine=True, limit=limit))
            return [one.posting_id for one in postings.items]
        me = await self._access.get("/api/users/me")
        jobs = await self._access.get(f"/api/users/{me['id']}/jobs", limit=limit)
        return [one.job_id for one in Jobs.model_validate(jobs).items]

    async def look(self, posting: UUID) -> PostingDetail:
        return PostingDetail.model_validate(await self._access.get(f"/api/postings/{posting}"))

    async def wait_reason(self, posting: UUID) -> WaitReason:
        detail = await self.look(posting)
        return WaitReason(detail.waiting_for, detail.waiting_text)

    async def ended(self, posting: UUID, since: float, seconds: float) -> bool:
        """There is no notification over HTTP: wait until the next poll."""
        await asyncio.sleep(seconds)
        return False

    async def outcomes(self, posting: UUID, position: int, limit: int = PAGE) -> tuple[list[JobOutcome], int | None]:
        page = JobResults.model_validate(
            await self._access.get(f"/api/postings/{posting}/results", position=position, limit=limit)
        )
        found = [
            JobOutcome(one.job_id, one.status, one.result, one.error.model_dump() if one.error else None)
            for one in page.items
        ]
        return found, page.next

    async def failures(self, posting: UUID, position: int) -> tuple[list[FailedJob], int | None]:
        page = JobFailures.model_validate(
            await self._access.get(f"/api/postings/{posting}/failures", position=position, limit=2_000)
        )
        return [FailedJob(one.job_id, one.attempts, one.data, one.error.model_dump()) for one in page.items], page.next

    async def pause(self, posting: UUID) -> int:
        return await self._action(posting, "pause")

    async def resume(self, posting: UUID) -> int:
        return await self._action(posting, "resume")

    async def cancel(self, posting: UUID) -> int:
        return await self._action(posting, "cancel")

    async def retry_failed(self, posting: UUID) -> UUID | None:
        answer = RetryPosted.model_validate(await self._access.post(f"/api/postings/{posting}/failures/retry"))
        return answer.posting.posting_id if answer.posting else None

    async def close(self) -> None:
        await self._access.http.aclose()

    async def _action(self, posting: UUID, action: str) -> int:
        return int((await self._access.post(f"/api/postings/{posting}/{action}", repeatable=True))["jobs"])

    async def _post_with_retries(self, body: bytes) -> UUID:
        for attempt in range(1, _TRIES + 1):
            try:
                return await self._post_body(body)
            except Unavailable:
                if attempt == _TRIES:
                    raise
                await asyncio.sleep(0.2 * 2**attempt)
        raise AssertionError("unreachable")

    async def _post_stream(self, first: bytes, rest: Iterator[bytes]) -> UUID:
        await self._token()

        async def body() -> AsyncIterator[bytes]:
            yield first
            for chunk in rest:
                yield chunk

        return await self._post_body(body())

    async def _post_body(self, body: bytes | AsyncIterator[bytes]) -> UUID:
        token = await self._token()
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/x-ndjson"}
        try:
            answer = await self._access.http.post(
                "/api/postings/stream", content=body, headers=headers, timeout=httpx2.Timeout(600.0, connect=5.0)
            )
        except httpx2.TransportError as error:
            raise unreachable(self._access.url, error) from error
        if not answer.is_success:
            raise error_in(answer)
        return PostingInfo.model_validate_json(answer.content).posting_id

    async def _token(self) -> str:
        try:
            return await self._access.tokens.token()
        except httpx2.TransportError as error:
            raise unreachable(self._access.url, error) from error


def _body_chunks(head: dict[str, Any], calls: Iterable[Any]) -> Iterator[bytes]:
    """The NDJSON body in chunks of about 64 kB."""
    chunk = orjson.dumps({key: value for key, value in head.items() if value is not None}) + b"\n"
    for call in calls:
        chunk += orjson.dumps(call) + b"\n"
        if len(chunk) > _CHUNK_BYTES:
            yield chunk
            chunk = b""
    yield chunk


def _with_keys(calls: Iterable[tuple[dict[str, Any], str | None]]) -> Iterator[dict[str, Any]]:
    for call, key in calls:
        yield call if key is None else call | {"key": key}


_backends: dict[tuple[int, str, str | None], HttpBackend] = {}


async def open_http_backend(url: str | None, token: str | None) -> HttpBackend:
    """The backend of a server, with a token, or as the user of the environment or of `workroom login`."""
    found = discovery.server_url(url)
    key = (os.getpid(), found, token)
    if key not in _backends:
        login = Login.of(None, None, token, url=found)
        http = http_client(found)
        _backends[key] = HttpBackend(ApiClient(found, http, UserTokens(http, login)))
        background().close_at_exit(_backends[key])
    return _backends[key]


def forget_logins() -> None:
    """Log in again next time, since the environment names another user now."""
    _backends.clear()


def open_job_backend(job: Execution) -> HttpBackend:
    """The backend for the code of a job. It posts as the job's submitter, with the job's own token."""
    key = (os.getpid(), job.url, None)
    if key not in _clients:
        _clients[key] = http_client(job.url)
        background().close_at_exit(_ClosableClient(_clients[key]))
    http = _clients[key]
    return HttpBackend(JobAccess(ApiClient(job.url, http, UserTokens(http, Login())), job))


_clients: dict[tuple[int, str, None], httpx2.AsyncClient] = {}


class _ClosableClient:
    def __init__(self, http: httpx2.AsyncClient) -> None:
        self._http = http

    async def close(self) -> None:
        await self._http.aclose()
