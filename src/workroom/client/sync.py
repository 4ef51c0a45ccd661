"""The blocking face: the same rooms and jobs for plain scripts, notebooks and threads.

Nothing is done here: each call runs its asynchronous twin on the background loop and waits.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterator
from functools import wraps
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, Protocol, Self, TypeVar
from uuid import UUID

from workroom.client import notebook
from workroom.client.chat import ChatMessage
from workroom.client.frames.frame_list import FrameList
from workroom.client.items.sync_items import SceneFace
from workroom.client.jobs import STORED, AsyncJobHandle
from workroom.client.portal import Portal, background
from workroom.client.progress_bar import Bar
from workroom.client.room import AsyncRoom
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
    """The same method, for callers who wait."""

    @wraps(method)
    def waits(self: Facade[Inner_co], *args: P.args, **kwargs: P.kwargs) -> T:
        return self.portal.call(method(self.inner, *args, **kwargs))

    return waits


class JobHandle:
    """A job: what it is doing, and what came of it."""

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
        """How the job stands now: asks the server, unless it is over."""
        if not self.inner.is_done:
            self.refresh()
        return self.inner.last_status

    refresh = blocking(AsyncJobHandle.refresh)
    result = blocking(AsyncJobHandle.result)
    logs = blocking(AsyncJobHandle.logs)
    cancel = blocking(AsyncJobHandle.cancel)

    def wait(self, timeout: float | None = None, *, progress: bool | None = None) -> Self:
        """Wait until the job has ended, however it did. On a terminal a bar shows how far it is."""
        with Bar(self.inner.name, progress) as bar:
            self.portal.call(self.inner.wait(timeout, told=bar.told))
        return self

    def retry(self) -> JobHandle:
        """Run an ended job once more, as a new one."""
        return JobHandle(self.portal, self.portal.call(self.inner.retry()))

    def __await__(self) -> Any:
        raise TypeError("This handle blocks: call wait() or result(). Those of AsyncRoom are awaited.")

    def __repr__(self) -> str:
        return repr(self.inner)

    def _repr_html_(self) -> str:
        return notebook.job(self.refresh()) if self.inner.last_status != STORED else notebook.text(repr(self))


class Room(FrameList, SceneFace):
    """A room of a server.

    Without `url` it is the server running on this machine; given only `user` one is a guest of that name. The room is
    made when there is none, unless `create=False`.
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
        loop.hold(inner)

    @property
    def inner(self) -> AsyncRoom:
        """The asynchronous room behind this one."""
        return self._inner

    @property
    def name(self) -> str:
        return self.inner.name

    @property
    def url(self) -> str:
        return self.inner.url

    @property
    def user(self) -> str:
        return self.inner.user

    @property
    def jobs(self) -> Jobs:
        """The room's jobs: iterate, ask with filters as in `jobs(status="failed")`, or take one by its id."""
        return Jobs(self)

    @property
    def extensions(self) -> list[ExtensionInfo]:
        """What this room can do."""
        return notebook.Table(self.portal.call(self.inner.extensions()), notebook.EXTENSIONS)

    @property
    def workers(self) -> list[WorkerInfo]:
        """Who does it."""
        return notebook.Table(self.portal.call(self.inner.workers()), notebook.WORKERS)

    @property
    def chat(self) -> Chat:
        """What is said in the room."""
        return Chat(self)

    def run(self, extension: Any, data: dict[str, Any] | None = None, /, **options: Any) -> JobHandle:
        """Submit a job: an extension with its parameters set, or the name of one (`"modifiers/Relax"`) with arguments.

        Wishes: category, scope, priority, depends_on, idempotency_key, tries, run_at.
        """
        if "depends_on" in options:
            options["depends_on"] = [job.id if isinstance(job, JobHandle) else job for job in options["depends_on"]]
        return JobHandle(self.portal, self.portal.call(self.inner.run(extension, data, **options)))

    def upload(self, file: Path | str, *, name: str | None = None, format: str | None = None) -> JobHandle:
        """Send a file to be opened in the room; the job that does it: `room.upload("cu.xyz").wait()`."""
        return JobHandle(self.portal, self.portal.call(self.inner.upload(file, name=name, format=format)))

    download = blocking(AsyncRoom.download)
    log = blocking(AsyncRoom.log)

    def progress(self, fraction: float | None, message: str = "") -> None:
        """Say how far a job is. Outside of a job nobody listens, so that an extension can be tried by hand."""

    @property
    def cancelled(self) -> bool:
        """Whether the job that uses this room is to stop."""
        return False

    def close(self) -> None:
        background().release(self.inner)
        self.portal.call(self.inner.close())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return repr(self.inner).replace("Async", "", 1)

    def _repr_html_(self) -> str:
        return notebook.room(self.name, self.url, self.jobs(limit=10), self.extensions, self.workers)


class Jobs:
    """The jobs of a room."""

    def __init__(self, room: Room) -> None:
        self._room = room

    def __call__(self, status: str | list[str] | None = None, *, limit: int = 50, **filters: Any) -> list[JobBrief]:
        """The newest jobs that fit: status, category, name."""
        room = self._room
        return notebook.Table(room.portal.call(room.inner.jobs(status, limit=limit, **filters)), notebook.JOBS)

    def __getitem__(self, id: UUID | str) -> JobHandle:
        return JobHandle(self._room.portal, self._room.portal.call(self._room.inner.job(id)))

    def __iter__(self) -> Iterator[JobBrief]:
        """Every job, newest first, fetched as needed."""
        page = self(limit=500)
        while page:
            yield from page
            page = self(limit=500, before=page[-1].job_id)

    def __repr__(self) -> str:
        return repr(self())

    def _repr_html_(self) -> str:
        return notebook.table(self(), notebook.JOBS)


class Chat:
    """What is said in a room: iterate over it, newest first, or `send` something."""

    def __init__(self, room: Room) -> None:
        self._room = room

    def send(self, text: str) -> ChatMessage:
        return self._room.log(text)

    def edit(self, message: ChatMessage | UUID | str, text: str) -> ChatMessage:
        """Say it differently; only who said it may."""
        return self._room.portal.call(self._room.inner.edit(message, text))

    def delete(self, message: ChatMessage | UUID | str) -> None:
        """Take it back: one's own, or, for owners of the room, anybody's."""
        self._room.portal.call(self._room.inner.take_back(message))

    def __iter__(self) -> Iterator[ChatMessage]:
        room = self._room
        page = room.portal.call(room.inner.chat())
        while page:
            yield from page
            page = room.portal.call(room.inner.chat(before=page[-1].id))

    def __repr__(self) -> str:
        return repr(notebook.Table(self._room.portal.call(self._room.inner.chat()), notebook.CHAT))

    def _repr_html_(self) -> str:
        return notebook.table(self._room.portal.call(self._room.inner.chat()), notebook.CHAT)
