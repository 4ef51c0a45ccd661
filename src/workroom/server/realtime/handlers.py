"""Socket.IO handlers: connecting, joining rooms, chat, and the reports of workers.

A person's socket connects with the token from login, a worker's with the token from registration. Handlers authorise
like the routes, call the same actions, and acknowledge with the same errors, as `{"ok": false, "code": …}`.
"""

from __future__ import annotations

import asyncio
from typing import Any
from uuid import UUID

from socketio.exceptions import ConnectionRefusedError as Refused

from workroom.actions.jobs import logs
from workroom.actions.jobs.assign import claim_one
from workroom.actions.queries import workers as worker_queries
from workroom.actions.rooms import chat
from workroom.actions.workers import lifecycle
from workroom.domain.errors import Conflict, NotFound, NotSignedIn, WorkerLost, WorkroomError
from workroom.domain.rooms.locks import LONGEST_CLIENT
from workroom.domain.rooms.rights import Rights
from workroom.logs import get_logger
from workroom.server.auth.access import authorize, load_principal, load_submitter
from workroom.server.auth.api_tokens.scopes import check_grant, scopes_of_event
from workroom.server.auth.tokens import AnyToken, JobToken, PersonToken, PoolToken, ReadToken, WorkerToken, is_api_token
from workroom.server.context import ServerContext
from workroom.server.realtime import hub
from workroom.server.realtime.camera_handlers import CameraHandlers
from workroom.server.realtime.handler_wrapper import VISITORS, Answer, acknowledged, error_ack, parse
from workroom.server.realtime.hub import SocketHub
from workroom.server.realtime.lock_and_step_handlers import RoomSocketHandlers
from workroom.server.realtime.presence import Person
from workroom.server.replicas.bus import ReplicaBus
from workroom.server.serializers.report_parser import to_report
from workroom.wire.socket_requests import ClaimJob, JobLog, JobProgress, JobStatus, JoinRoom, LeaveRoom, SendChat

log = get_logger(__name__)


class SocketHandlers:
    """Registers the handlers of one server."""

    def __init__(self, sockets: SocketHub, context: ServerContext) -> None:
        self._hub = sockets
        self._context = context
        self._tasks: set[asyncio.Task[None]] = set()
        self._bus: ReplicaBus | None = None  # none: this is the only server
        RoomSocketHandlers(sockets, context)
        CameraHandlers(sockets, context)
        sockets.on("connect", self._connect)
        sockets.on("disconnect", self._disconnect)
        for name, handler in (("room:join", self._join), ("room:leave", self._leave), ("chat:send", self._chat)):
            sockets.on(name, acknowledged(name, handler, sockets.token, *VISITORS))
        for name, handler in (
            ("job:claim", self._claim),
            ("job:status", self._status),
            ("job:progress", self._progress),
            ("job:log", self._log),
        ):
            sockets.on(name, acknowledged(name, handler, sockets.token, WorkerToken))

    def connect_bus(self, bus: ReplicaBus) -> None:
        """From now on a worker that attaches to another server is disconnected here."""
        self._bus = bus
        bus.on("attached", lambda _, body: self._keep(asyncio.create_task(self._left_to(UUID(body[0]), body[1]))))

    async def _left_to(self, worker_id: UUID, sid: str) -> None:
        """A worker has attached to another server with this socket. What was sent to its older ones may be lost."""
        if await self._disconnect_others(sid, worker_id):
            await lifecycle.repeat(self._context.engine, [worker_id])

    async def _connect(self, sid: str, environ: dict[str, Any], auth: Any = None) -> None:
        try:
            token, expires = await self._read_token(_token_in(auth), environ)
            match token:
                case WorkerToken():
                    worker = await worker_queries.worker(self._context.engine, token.worker_id)
                    if worker.incarnation != token.incarnation or worker.ended_at is not None:
                        raise WorkerLost(workerId=str(token.worker_id))
                    self._hub.set_token(sid, token, expires)
                    await self._hub.join(sid, hub.worker(token.worker_id))
                    # Jobs may be pushed only after the client knows that it is connected. The task starts after this
                    # handler has returned and the library has queued the CONNECT packet.
                    self._keep(asyncio.create_task(self._attach(sid, token)))
                case PersonToken():
                    version = self._context.access_cache.version
                    check_grant(token.grant, scopes_of_event("connect"))
                    principal = await load_principal(self._context, token)
                    self._hub.set_token(sid, token, expires)
                    await self._hub.join(sid, hub.account(principal.account_id))
                    if token.grant is not None:
                        await self._hub.join(sid, hub.api_token(token.grant.token_id))
                    if self._context.access_cache.version != version:
                        # The account may have been revoked before its sockets included this one.
                        principal = await load_principal(self._context, token)
                    await self._hub.join(sid, hub.EVERYONE)
                    self._context.presence.connected(sid, Person(principal.account_id, principal.name))
                    if client := _client_in(auth):
                        await self._context.presence.bind_client(sid, client, principal.account_id)
                    if principal.is_admin:
                        await self._hub.join(sid, hub.ADMINS)
                case JobToken():
                    await load_submitter(self._context, token)
                    self._hub.set_token(sid, token, expires)
                case PoolToken() | ReadToken():
                    raise NotSignedIn("This token has no socket.")
        except WorkroomError as error:
            self._hub.drop_token(sid)
            raise Refused(error.message, {"code": error.code, "message": error.message}) from None
        except Exception as error:
            self._hub.drop_token(sid)
            refusal = error_ack(error)
            raise Refused(refusal["message"], {"code": refusal["code"], "message": refusal["message"]}) from None

    async def _read_token(self, text: str, environ: dict[str, Any]) -> tuple[AnyToken, float]:
        if is_api_token(text):
            client = environ.get("asgi.scope", {}).get("client")
            return await self._context.api_tokens.read(text, client[0] if client else "")
        return self._context.tokens.read_with_expiry(text)

    async def _attach(self, sid: str, token: WorkerToken) -> None:
        if not self._is_connected(sid, token):
            return  # disconnected meanwhile: no job may be assigned to it
        try:
            await lifecycle.attach(self._context.engine, token.worker_id, token.incarnation, sid)
        except WorkroomError as error:
            log.warning("worker not attached; socket closed", worker=str(token.worker_id), code=error.code)
            await self._hub.disconnect(sid)
            return
        await self._disconnect_others(sid, token.worker_id)
        if self._bus is not None:
            self._bus.send("attached", [str(token.worker_id), sid])
        if not self._is_connected(sid, token):
            await lifecycle.detach(self._context.engine, token.worker_id, token.incarnation, sid)

    def _is_connected(self, sid: str, token: WorkerToken) -> bool:
        return sid in self._hub.members(hub.worker(token.worker_id))

    def _keep(self, task: asyncio.Task[None]) -> None:
        """Hold a reference to a task: the event loop itself holds only a weak one."""
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _disconnect_others(self, sid: str, worker_id: UUID) -> bool:
        """Disconnect the other sockets of a worker: it has one, the newest. Returns whether there were any."""
        channel = hub.worker(worker_id)
        others = [other for other in self._hub.members(channel) if other != sid]
        for other in others:
            await self._hub.leave(other, channel)
            await self._hub.disconnect(other)
        return bool(others)

    async def _disconnect(self, sid: str, reason: str | None = None) -> None:
        token = self._hub.token(sid)
        self._hub.drop_token(sid)
        if not isinstance(token, WorkerToken):
            await self._context.presence.disconnected(sid)
            return
        try:
            await lifecycle.detach(self._context.engine, token.worker_id, token.incarnation, sid)
        except WorkroomError as error:
            log.warning("worker not detached", worker=str(token.worker_id), code=error.code)

    async def _join(self, sid: str, body: Any) -> Answer:
        request = parse(JoinRoom, body)
        token = self._visitor(sid)
        version = self._context.access_cache.version
        access = await authorize(self._context, token, request.room, Rights.READ)
        await self._hub.join(sid, hub.room(access.room))
        if self._context.access_cache.version != version:
            # Rights changed meanwhile, and `recheck` may have run before this socket was in the room.
            await self._leave_without_right(sid, access.room)
            access = await authorize(self._context, token, access.room, Rights.READ)
        if request.client is not None:
            await self._context.presence.bind_client(sid, request.client, access.principal.account_id)
        self._context.presence.mark_changed([access.room])
        return {"room": access.room, "rights": access.rights}

    async def recheck(self, room: str) -> None:
        """Remove the sockets from a room that may no longer read it."""
        for sid in self._hub.members(hub.room(room)):
            await self._leave_without_right(sid, room)

    async def recheck_all(self) -> None:
        """Check all sockets: close those whose account or worker may no longer connect, and leave rooms."""
        self._context.access_cache.clear()
        self._context.extension_cache.invalidate()
        for sid, token in self._hub.tokens():
            try:
                match token:
                    case PersonToken():
                        await load_principal(self._context, token)
                    case WorkerToken():
                        worker = await worker_queries.worker(self._context.engine, token.worker_id)
                        if worker.ended_at is not None:
                            raise WorkerLost(workerId=str(token.worker_id))
                    case _:
                        pass  # TokenWatch looks after jobs
            except (NotSignedIn, NotFound, WorkerLost):
                await self._hub.disconnect(sid)
        for room in self._hub.rooms():
            await self.recheck(room)

    async def repeat_all(self) -> None:
        """Send all workers of this server again what they have not confirmed: a message may have been lost."""
        workers = [token.worker_id for _, token in self._hub.tokens() if isinstance(token, WorkerToken)]
        if workers:
            await lifecycle.repeat(self._context.engine, sorted(workers))

    async def _leave_without_right(self, sid: str, room: str) -> None:
        try:
            await authorize(self._context, self._visitor(sid), room, Rights.READ)
        except WorkroomError:
            await self._hub.leave_room(sid, room)
            self._context.presence.mark_changed([room])

    async def _leave(self, sid: str, body: Any) -> Answer:
        request = parse(LeaveRoom, body)
        await self._hub.leave_room(sid, request.room)
        self._context.presence.mark_changed([request.room])
        return {"room": request.room}

    async def _chat(self, sid: str, body: Any) -> Answer:
        request = parse(SendChat, body)
        access = await authorize(self._context, self._visitor(sid), request.room, Rights.WRITE)
        self._context.chat_limit.hit(str(access.principal.account_id))
        message = await chat.post(self._context.engine, access.room, access.principal.account_id, request.text)
        return {"id": str(message.id)}

    async def _status(self, sid: str, body: Any) -> Answer:
        """One status update, or a list of several. Reports enter the batcher before the first wait, so their order is
        the order of the messages: the library starts the handlers in that order.
        """
        worker = self._worker(sid)
        updates = [parse(JobStatus, update) for update in _as_list(body)]
        reports = [(to_report(update.job_id, update), update.confirm) for update in updates]
        put = self._context.report_batcher.put
        pending = [put(worker.worker_id, worker.incarnation, report, urgent=confirm) for report, confirm in reports]
        answers = [await _report_ack(written) for written in pending]
        return {"answers": answers} if isinstance(body, list) else answers[0]

    async def _claim(self, sid: str, body: Any) -> Answer:
        """A Celery worker asks for the job that a message names. The job itself comes with `job:assigned`."""
        request = parse(ClaimJob, body)
        job = await claim_one(self._context.engine, self._worker(sid).worker_id, request.job_id, request.attempt)
        return {"assigned": job is not None}

    async def _progress(self, sid: str, body: Any) -> Answer:
        worker = self._worker(sid)
        for update in [parse(JobProgress, update) for update in _as_list(body)]:
            await logs.report_progress(
                self._context.engine,
                worker.worker_id,
                update.job_id,
                update.attempt,
                fraction=update.fraction,
                message=update.message,
            )
        return {}

    async def _log(self, sid: str, body: Any) -> Answer:
        worker = self._worker(sid)
        for update in [parse(JobLog, update) for update in _as_list(body)]:
            await logs.append_log(self._context.engine, worker.worker_id, update.job_id, update.attempt, update.lines)
        return {}

    def _visitor(self, sid: str) -> PersonToken | JobToken:
        token = self._hub.token(sid)
        if not isinstance(token, PersonToken | JobToken):
            raise NotSignedIn
        return token

    def _worker(self, sid: str) -> WorkerToken:
        token = self._hub.token(sid)
        if not isinstance(token, WorkerToken):
            raise NotSignedIn
        return token


async def _report_ack(written: asyncio.Future[Conflict | None]) -> Answer:
    try:
        refusal = await written
    except Exception as error:
        return error_ack(error)
    return {"ok": True} if refusal is None else error_ack(refusal)


def _as_list(body: Any) -> list[Any]:
    return body if isinstance(body, list) else [body]  # pyright: ignore[reportUnknownVariableType]


def _client_in(auth: Any) -> str | None:
    """The client id, which is optional: a window or script of an account that has one can hold locks across sockets."""
    client = auth.get("client") if isinstance(auth, dict) else None  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]
    return client if isinstance(client, str) and 0 < len(client) <= LONGEST_CLIENT and client.isprintable() else None


def _token_in(auth: Any) -> str:
    token = auth.get("token") if isinstance(auth, dict) else None  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]
    if not isinstance(token, str):
        raise NotSignedIn("Connect with auth = {token}.")
    return token
