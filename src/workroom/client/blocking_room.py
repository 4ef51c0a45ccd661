"""`Room` and `JobHandle`: the blocking client for scripts, notebooks and threads.

Each method runs the asynchronous method of the same name on the background loop and waits for it.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import wraps
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, Protocol, Self, TypeVar
from urllib.parse import quote
from uuid import UUID

from workroom.client import representations
from workroom.client.async_room import AsyncRoom
from workroom.client.chat_message import ChatMessage
from workroom.client.extension import Extension
from workroom.client.frames.frame_list import FrameList
from workroom.client.items.sync_items import SyncScene
from workroom.client.job_progress_bar import JobProgressBar
from workroom.client.jobs import STORED, AsyncJobHandle
from workroom.client.portal import Portal, background
from workroom.wire.jobs import ExtensionInfo, JobBrief
from workroom.wire.workers import WorkerInfo

P = ParamSpec("P")
T = TypeVar("T")
Inner_co = TypeVar("Inner_co", covariant=True)


class Facade(Protocol[Inner_co]):
    @property
    def inner(self) -> Inner_co: ...
    @property
    def portal(self) -> Portal: ...


def blocking(
    method: Callable[Concatenate[Inner_co, P], Coroutine[Any, Any, T]],
) -> Callable[Concatenate[Facade[Inner_co], P], T]:
    """A blocking version of an asynchronous method."""

    @wraps(method)
    def call(self: Facade[Inner_co], *args: P.args, **kwargs: P.kwargs) -> T:
        return self.portal.call(method(self.inner, *args, **kwargs))

    return call


class JobHandle:
    """A job: its status, result, logs; cancel and retry."""

    def __init__(self, portal: Portal, inner: AsyncJobHandle) -> None:
        self.portal = portal
        self.inner = inner

    @property
    def id(self) -> UUID:
        return self.inner.id

    @property
    def name(self) -> str:
        return self.inner.name

    @property
    def status(self) -> str:
        """The current status, fetched from the server unless the job has ended."""
        if not self.inner.is_done:
            self.refresh()
        return self.inner.last_status

    refresh = blocking(AsyncJobHandle.refresh)
    result = blocking(AsyncJobHandle.result)
    logs = blocking(AsyncJobHandle.logs)
    cancel = blocking(AsyncJobHandle.cancel)

    def wait(self, timeout: float | None = None, *, progress: bool | None = None) -> Self:
        """Wait until the job has ended, whatever its outcome. On a terminal a progress bar is shown."""
        with JobProgressBar(self.inner.name, progress) as bar:
            self.portal.call(self.inner.wait(timeout, on_change=bar.update))
        return self

    def retry(self) -> JobHandle:
        """Run an ended job again, as a new job."""
        return JobHandle(self.portal, self.portal.call(self.inner.retry()))

    def __await__(self) -> Any:
        raise TypeError("This handle blocks: call wait() or result(). Only handles of AsyncRoom can be awaited.")

    def __repr__(self) -> str:
        return repr(self.inner)

    def _repr_html_(self) -> str:
        return (
            representations.job(self.refresh())
            if self.inner.last_status != STORED
            else representations.text(repr(self))
        )


class Room(FrameList, SyncScene):
    """A room of a server.

    Without `url` the client connects to the server on this machine. With `user` and no password it signs in as a guest
    of that name. The room is created if it does not exist, unless `create=False`.
    """

    def __init__(
        self,
        name: str,
        url: str | None = None,
        user: str | None = None,
        password: str | None = None,
        token: str | None = None,
        *,
        create: bool = True,
    ) -> None:
        self._enter(AsyncRoom(name, url, user, password, token, create=create))

    def _enter(self, inner: AsyncRoom) -> None:
        loop = background()
        self.portal: Portal = loop
        self._inner = loop.call(inner.open())
        loop.close_at_exit(inner)

    @property
    def inner(self) -> AsyncRoom:
        """The asynchronous room behind this one."""
        return self._inner

    @property
    def name(self) -> str:
        """The room's name."""
        return self.inner.name

    @property
    def url(self) -> str:
        """The server's URL."""
        return self.inner.url

    @property
    def user(self) -> str:
        """The name of the signed-in user."""
        return self.inner.user

    @property
    def jobs(self) -> Jobs:
        """The room's jobs: iterate, filter as in `jobs(status="failed")`, or get one by its id as in `jobs[id]`."""
        return Jobs(self)

    @property
    def extensions(self) -> list[ExtensionInfo]:
        """The extensions that are visible in this room."""
        return representations.Table(self.portal.call(self.inner.extensions()), representations.EXTENSIONS)

    @property
    def workers(self) -> list[WorkerInfo]:
        """The workers that are visible in this room."""
        return representations.Table(self.portal.call(self.inner.workers()), representations.WORKERS)

    @property
    def chat(self) -> Chat:
        """The chat of the room."""
        return Chat(self)

    def run(
        self,
        extension: Extension | str,
        data: dict[str, Any] | None = None,
        /,
        *,
        category: str | None = None,
        scope: str | None = None,
        priority: int | None = None,
        depends_on: Iterable[JobHandle | UUID | str] = (),
        idempotency_key: str | None = None,
        tries: int | None = None,
        run_at: datetime | None = None,
        arguments: Mapping[str, Any] | None = None,
        **fields: Any,
    ) -> JobHandle:
        """Submit a job: an extension object, or the name of an extension (`"modifiers/Relax"`) with arguments.

        A field with the name of an option is given by `arguments`: `room.run("modifiers/Relax", arguments={"tries":
        5})`. A `run_at` without a time zone is local time.
        """
        running = self.inner.run(
            extension,
            data,
            category=category,
            scope=scope,
            priority=priority,
            depends_on=[job.id if isinstance(job, JobHandle) else job for job in depends_on],
            idempotency_key=idempotency_key,
            tries=tries,
            run_at=run_at,
            arguments=arguments,
            **fields,
        )
        return JobHandle(self.portal, self.portal.call(running))

    def upload(self, file: Path | str, *, name: str | None = None, format: str | None = None) -> JobHandle:
        """Upload a file and submit the job that imports it into the room: `room.upload("cu.xyz").wait()`."""
        return JobHandle(self.portal, self.portal.call(self.inner.upload(file, name=name, format=format)))

    download = blocking(AsyncRoom.download)
    log = blocking(AsyncRoom.log)

    def progress(self, fraction: float | None, message: str = "") -> None:
        """Report the progress of a job. Without effect outside a job, so that an extension can be run directly."""

    @property
    def cancelled(self) -> bool:
        """Whether the job that uses this room was cancelled and must stop."""
        return False

    def close(self) -> None:
        """End its worker, release the locks, and disconnect."""
        background().release(self.inner)
        self.portal.call(self.inner.close())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return repr(self.inner).replace("Async", "", 1)

    def _repr_html_(self) -> str:
        return representations.room(
            self.name,
            f"{self.url}/rooms/{quote(self.name, safe='')}",
            frames=len(self),
            step=self.step,
            workers=len(self.workers),
            jobs=self.jobs(limit=5),
        )


class Jobs:
    """The jobs of a room."""

    def __init__(self, room: Room) -> None:
        self._room = room

    def __call__(
        self,
        status: str | Sequence[str] | None = None,
        *,
        category: str | None = None,
        name: str | None = None,
        before: UUID | str | None = None,
        limit: int = 50,
    ) -> list[JobBrief]:
        """The newest jobs that match the filters, before the job `before`."""
        room = self._room
        found = room.inner.jobs(status, category=category, name=name, before=before, limit=limit)
        return representations.Table(room.portal.call(found), representations.JOBS)

    def __getitem__(self, id: UUID | str) -> JobHandle:
        return JobHandle(self._room.portal, self._room.portal.call(self._room.inner.job(id)))

    def __iter__(self) -> Iterator[JobBrief]:
        """Every job, newest first, fetched in pages."""
        page = self(limit=500)
        while page:
            yield from page
            page = self(limit=500, before=page[-1].job_id)

    def __repr__(self) -> str:
        return repr(self())

    def _repr_html_(self) -> str:
        return representations.table(self(), representations.JOBS)


class Chat:
    """The chat of a room: iterate over its messages, newest first, or `send` one."""

    def __init__(self, room: Room) -> None:
        self._room = room

    def send(self, text: str) -> ChatMessage:
        return self._room.log(text)

    def edit(self, message: ChatMessage | UUID | str, text: str) -> ChatMessage:
        """Edit a message. Only its author may."""
        return self._room.portal.call(self._room.inner.edit(message, text))

    def delete(self, message: ChatMessage | UUID | str) -> None:
        """Delete a message: its author may, and owners of the room."""
        self._room.portal.call(self._room.inner.take_back(message))

    def __iter__(self) -> Iterator[ChatMessage]:
        room = self._room
        page = room.portal.call(room.inner.chat())
        while page:
            yield from page
            page = room.portal.call(room.inner.chat(before=page[-1].id))

    def __repr__(self) -> str:
        return repr(representations.Table(self._room.portal.call(self._room.inner.chat()), representations.CHAT))

    def _repr_html_(self) -> str:
        return representations.table(self._room.portal.call(self._room.inner.chat()), representations.CHAT)
