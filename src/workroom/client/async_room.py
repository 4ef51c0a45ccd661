"""`AsyncRoom`: the asynchronous client of a room, on which the blocking `Room` is built."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Self
from uuid import UUID, uuid4

from workroom.client import discovery
from workroom.client.arguments import arguments_of, jsonable
from workroom.client.chat_message import ChatMessage
from workroom.client.extension import Extension, identity
from workroom.client.frames.async_frames import AsyncFrames
from workroom.client.frames.files import AsyncFiles
from workroom.client.input_file import uploaded
from workroom.client.items.items import AsyncScene
from workroom.client.jobs import AsyncJobHandle
from workroom.client.locks import HeldLocks
from workroom.client.net.event_stream import RECONNECTED, EventStream
from workroom.client.net.http import ApiClient, http_client
from workroom.client.net.login_tokens import Login, UserTokens
from workroom.domain.errors import BadInput, NameTaken, NotFound, Unavailable
from workroom.domain.names import category_name, extension_name, room_path
from workroom.wire.jobs import Accepted, ExtensionInfo, Extensions, JobDetail, Jobs, ListedJob
from workroom.wire.workers import WorkerInfo, Workers


class AsyncRoom(AsyncFrames, AsyncScene, AsyncFiles):
    """A room of a server: `async with AsyncRoom("my-room") as room`, or `room = await AsyncRoom("my-room")`."""

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
        self.name = name
        self._url = url
        self._credentials = (user, password, token)
        self._create = create
        self.created = False  # whether `open` created the room
        self._access: ApiClient | None = None
        self._live: EventStream | None = None
        self.locks = HeldLocks(self, release_on_disconnect=True)

    async def open(self) -> Self:
        """Sign in and open the room. It is created if it does not exist."""
        if self._access is None:
            url = discovery.server_url(self._url)
            login = Login.of(*self._credentials, url=url)
            http = http_client(url)
            tokens = UserTokens(http, login)
            access = ApiClient(url, http, tokens, retry_seconds=0)
            try:
                await self._enter(access)
            except BaseException:
                await http.aclose()
                raise
            self._access = ApiClient(url, http, tokens)
            self._live = self._subscribed(EventStream(url, tokens, self.locks.client))
        return self

    def _subscribed(self, live: EventStream) -> EventStream:
        """Invalidate prefetched frames on changes by other clients, once the room is joined."""
        live.subscribe("frames:changed", self.frames_changed)
        live.subscribe(RECONNECTED, self.frames_changed)
        return live

    async def _enter(self, access: ApiClient) -> None:
        try:
            await access.get(room_path(self.name))
        except NotFound:
            if not self._create:
                raise NotFound(f"There is no room {self.name!r}. Leave out create=False to make it.") from None
            try:
                await access.post("/api/rooms", {"name": self.name})
                self.created = True
            except NameTaken:
                # Another client has just created it, or it is a private room: the request shows which.
                await access.get(room_path(self.name))

    async def close(self) -> None:
        """Release the locks, and disconnect."""
        if self._access is not None:
            await self.locks.close()
        live, self._live = self._live, None
        access, self._access = self._access, None
        if live is not None:
            await live.close()
        if access is not None:
            await access.http.aclose()

    async def __aenter__(self) -> Self:
        return await self.open()

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def __await__(self) -> Generator[Any, Any, Self]:
        return self.open().__await__()

    def write_headers(self, target: str) -> dict[str, str]:
        """The headers of a write on this target: the token of a held lock."""
        return self.locks.headers(target)

    async def flush_writes(self) -> None:
        await self._flush()

    def after_undo(self) -> None:
        self.frames_changed()

    @property
    def access(self) -> ApiClient:
        if self._access is None:
            raise Unavailable("The room is closed. Open it first: `async with room`, or a new Room.")
        return self._access

    @property
    def live(self) -> EventStream:
        if self._live is None:
            raise Unavailable("The room is closed. Open it first: `async with room`, or a new Room.")
        return self._live

    @property
    def url(self) -> str:
        """The server's URL."""
        return self.access.url

    @property
    def user(self) -> str:
        """The name of the signed-in user."""
        tokens = self.access.tokens
        return tokens.user if isinstance(tokens, UserTokens) else ""

    async def run(
        self,
        extension: Extension | str,
        data: dict[str, Any] | None = None,
        /,
        *,
        category: str | None = None,
        scope: str | None = None,
        priority: int | None = None,
        depends_on: Iterable[AsyncJobHandle | UUID | str] = (),
        idempotency_key: str | None = None,
        tries: int | None = None,
        run_at: datetime | None = None,
        arguments: Mapping[str, Any] | None = None,
        **fields: Any,
    ) -> AsyncJobHandle:
        """Submit a job: an extension object, or the name of an extension (`"modifiers/Relax"`) with arguments.

        `arguments` may have fields of the same names as options, e.g. `tries`. Files are uploaded first. A `run_at`
        without a time zone is local time.
        """
        given = await uploaded(self.access, self.name, (data or {}) | dict(arguments or {}) | fields)
        extension = await uploaded(self.access, self.name, extension)
        category, name, data = _extension_and_arguments(extension, category, given)
        options = {
            "scope": scope,
            "priority": priority,
            "dependsOn": [str(job.id if isinstance(job, AsyncJobHandle) else job) for job in depends_on],
            # With a key the request can be repeated if its response gets lost.
            "idempotencyKey": idempotency_key or uuid4().hex,
            "tries": tries,
            "runAt": run_at and run_at.astimezone(),
        }
        body = {"data": data} | {option: value for option, value in options.items() if value not in (None, [])}
        answer = await self.access.post(
            f"{room_path(self.name)}/extensions/{category_name(category)}/{extension_name(name)}/submit",
            body,
            repeatable=True,
        )
        handle = AsyncJobHandle(self, Accepted.model_validate(answer))
        handle.name = name
        return handle

    async def job(self, id: UUID | str) -> AsyncJobHandle:
        """A job by its id."""
        return AsyncJobHandle(self, JobDetail.model_validate(await self.access.get(f"/api/jobs/{id}")))

    async def jobs(
        self,
        status: str | Sequence[str] | None = None,
        *,
        category: str | None = None,
        name: str | None = None,
        before: UUID | str | None = None,
        limit: int = 50,
    ) -> list[ListedJob]:
        """The room's jobs, newest first."""
        answer = await self.access.get(
            f"{room_path(self.name)}/jobs",
            status=[status] if isinstance(status, str) else status,
            category=category,
            name=name,
            before=before,
            limit=limit,
        )
        return Jobs.model_validate(answer).items

    async def extensions(self, category: str | None = None) -> list[ExtensionInfo]:
        """The extensions that are visible in this room."""
        answer = await self.access.get(f"{room_path(self.name)}/extensions", category=category)
        return Extensions.model_validate(answer).items

    async def workers(self) -> list[WorkerInfo]:
        """The workers that are visible in this room."""
        return Workers.model_validate(await self.access.get(f"{room_path(self.name)}/workers")).items

    async def chat(self, before: UUID | str | None = None, limit: int = 100) -> list[ChatMessage]:
        """The chat messages of the room, newest first."""
        answer = await self.access.get(f"{room_path(self.name)}/chat", before=before, limit=limit)
        return [ChatMessage.model_validate(message) for message in answer["items"]]

    async def log(self, text: str) -> ChatMessage:
        """Send a chat message to the room."""
        return ChatMessage.model_validate(await self.access.post(f"{room_path(self.name)}/chat", {"text": text}))

    async def edit(self, message: ChatMessage | UUID | str, text: str) -> ChatMessage:
        """Edit a chat message. Only its author may."""
        path = f"{room_path(self.name)}/chat/{_message_id(message)}"
        return ChatMessage.model_validate(await self.access.request("PATCH", path, body={"text": text}))

    async def take_back(self, message: ChatMessage | UUID | str) -> None:
        """Delete a chat message: its author may, and owners of the room."""
        await self.access.delete(f"{room_path(self.name)}/chat/{_message_id(message)}")

    def __repr__(self) -> str:
        where = f"at {self._access.url}" if self._access is not None else "(closed)"
        return f"<{type(self).__name__} {self.name!r} {where}>"


def _message_id(message: ChatMessage | UUID | str) -> UUID | str:
    return message.id if isinstance(message, ChatMessage) else message


def _extension_and_arguments(
    extension: Extension | str, category: str | None, arguments: dict[str, Any]
) -> tuple[str, str, dict[str, Any]]:
    if isinstance(extension, Extension):
        own_category, name = identity(type(extension))
        return category or own_category, name, arguments_of(extension) | _jsonable(arguments)
    before, slash, name = extension.rpartition("/")
    if slash:
        category = category or before
    if not category:
        raise BadInput(f"The category of {extension!r} is missing: write 'modifiers/{extension}', or give category=…")
    return category, name, _jsonable(arguments)


def _jsonable(arguments: dict[str, Any]) -> dict[str, Any]:
    return {name: jsonable(value, name) for name, value in arguments.items()}
