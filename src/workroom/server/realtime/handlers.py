"""Socket.IO: people join rooms, workers attach and report.

A person's socket connects with the token from login, a worker's with the token from registration. Handlers follow the
same rules as the routes, call the same actions, and answer with the same errors, as `{"ok": false, "code": …}`.
"""

from __future__ import annotations

import asyncio
from typing import Any, cast

import structlog
from socketio.exceptions import ConnectionRefusedError as Refused

from workroom.actions.queries import jobs
from workroom.actions.rooms import chat
from workroom.actions.workers import register
from workroom.domain.errors import NotSignedIn, WorkerLost, WorkroomError
from workroom.domain.rooms.locks import LONGEST_CLIENT
from workroom.domain.rooms.rights import Rights
from workroom.server.auth.access import enter, person_of
from workroom.server.auth.tokens import JobToken, PersonToken, PoolToken, Token, WorkerToken
from workroom.server.context import House
from workroom.server.realtime import hub
from workroom.server.realtime.hub import Reply, Switchboard
from workroom.server.realtime.messages import Answer, answering, apology, only, parsed
from workroom.server.realtime.presence import Somebody
from workroom.server.realtime.room_handlers import SceneSockets
from workroom.server.serializers.status_updates import as_report
from workroom.wire.sockets import ChatSaid, JobLog, JobProgress, JobStatus, RoomJoined, RoomNamed

log = structlog.get_logger("workroom.sockets")


class Sockets:
    """The handlers of one server."""

    def __init__(self, board: Switchboard, house: House) -> None:
        self._board = board
        self._house = house
        self._tasks: set[asyncio.Task[None]] = set()
        SceneSockets(board, house)
        board.on("connect", self._connect)
        board.on("disconnect", self._disconnect)
        for name, handler in (
            ("room:join", self._join),
            ("room:leave", self._leave),
            ("chat:send", self._chat),
            ("job:progress", self._progress),
            ("job:log", self._log),
        ):
            board.on(name, answering(handler))
        board.on_at_once("job:status", self._status)

    async def _connect(self, sid: str, environ: dict[str, Any], auth: Any = None) -> None:
        try:
            token = self._house.mint.read(_token_in(auth))
            match token:
                case WorkerToken():
                    worker = await jobs.worker(self._house.engine, token.worker_id)
                    if worker.incarnation != token.incarnation or worker.gone_at is not None:
                        raise WorkerLost(workerId=str(token.worker_id))
                    self._board.remember(sid, token)
                    await self._board.join(sid, hub.worker(token.worker_id))
                    # Jobs may only be pushed once the client knows that it is connected: the task cannot start before
                    # this handler has returned and the answer is on its way.
                    self._keep(asyncio.create_task(self._attach(sid, token)))
                case PersonToken():
                    visitor = await person_of(self._house, token)
                    self._board.remember(sid, token)
                    await self._board.join(sid, hub.account(visitor.account_id))
                    await self._board.join(sid, hub.EVERYONE)
                    self._house.attendance.came(sid, Somebody(visitor.account_id, visitor.name))
                    if client := _client_in(auth):
                        await self._house.attendance.uses(sid, client, visitor.account_id)
                    if visitor.is_admin:
                        await self._board.join(sid, hub.ADMINS)
                case JobToken():
                    self._board.remember(sid, token)
                case PoolToken():
                    raise NotSignedIn("This is not for the server's pool.")
        except WorkroomError as error:
            self._board.forget(sid)
            raise Refused(error.message, {"code": error.code, "message": error.message}) from None

    async def _attach(self, sid: str, token: WorkerToken) -> None:
        if not self._is_here(sid, token):
            return  # gone before it was even there: it must not be handed a job
        try:
            await register.attach(self._house.engine, token.worker_id, token.incarnation)
        except WorkroomError as error:
            log.warning("worker not attached", worker=str(token.worker_id), code=error.code)
            await self._board.disconnect(sid)
            return
        await self._replace_older(sid, token)
        if not self._is_here(sid, token):
            await register.detach(self._house.engine, token.worker_id, token.incarnation)

    def _is_here(self, sid: str, token: WorkerToken) -> bool:
        return sid in self._board.listeners(hub.worker(token.worker_id))

    def _keep(self, task: asyncio.Task[None]) -> None:
        """The event loop forgets tasks that nobody holds."""
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _replace_older(self, sid: str, token: WorkerToken) -> None:
        """A worker has one socket: the newest."""
        place = hub.worker(token.worker_id)
        for other in self._board.listeners(place):
            if other != sid:
                await self._board.leave(other, place)
                await self._board.disconnect(other)

    async def _disconnect(self, sid: str, reason: str | None = None) -> None:
        token = self._board.token(sid)
        self._board.forget(sid)
        if not isinstance(token, WorkerToken):
            await self._house.attendance.went(sid)
            return
        if any(other != sid for other in self._board.listeners(hub.worker(token.worker_id))):
            return
        try:
            await register.detach(self._house.engine, token.worker_id, token.incarnation)
        except WorkroomError as error:
            log.warning("worker not detached", worker=str(token.worker_id), code=error.code)

    async def _join(self, sid: str, body: Any) -> Answer:
        wanted = parsed(RoomJoined, body)
        token = self._token(sid)
        if isinstance(token, WorkerToken):
            raise NotSignedIn("Rooms are joined by people and by jobs.")
        visit = await enter(self._house, token, wanted.room, Rights.READ)
        await self._board.join(sid, hub.room(visit.room))
        if wanted.client is not None:
            await self._house.attendance.uses(sid, wanted.client, visit.visitor.account_id)
        self._house.attendance.changed([visit.room])
        return {"room": visit.room, "rights": visit.rights}

    async def recheck(self, room: str) -> None:
        """Show out of a room whoever may no longer see it."""
        for sid in self._board.listeners(hub.room(room)):
            try:
                token = self._token(sid)
                if not isinstance(token, WorkerToken):
                    await enter(self._house, token, room, Rights.READ)
            except WorkroomError:
                await self._board.leave(sid, hub.room(room))
                self._house.attendance.changed([room])

    async def _leave(self, sid: str, body: Any) -> Answer:
        wanted = parsed(RoomNamed, body)
        await self._board.leave(sid, hub.room(wanted.room))
        self._house.attendance.changed([wanted.room])
        return {"room": wanted.room}

    async def _chat(self, sid: str, body: Any) -> Answer:
        said = parsed(ChatSaid, body)
        token = self._token(sid)
        if isinstance(token, WorkerToken):
            raise NotSignedIn("Chat is for people and for jobs.")
        visit = await enter(self._house, token, said.room, Rights.WRITE)
        message = await chat.say(self._house.engine, visit.room, visit.visitor.account_id, said.text)
        return {"id": str(message.id)}

    def _status(self, sid: str, said: list[Any], reply: Reply) -> None:
        """One status update, or a list of several."""
        try:
            worker = self._worker(sid)
            body = only(said)
            words = [parsed(JobStatus, one) for one in _several(body)]
            reports = [(as_report(one.job_id, one), one.confirm) for one in words]
            put = self._house.inbox.put
            answers = [put(worker.worker_id, worker.incarnation, one, urgent=confirm) for one, confirm in reports]
        except Exception as error:
            reply(apology(error))
            return
        if isinstance(body, list):
            together = asyncio.gather(*answers, return_exceptions=True)
            together.add_done_callback(lambda done: reply({"ok": True, "answers": [*map(_told, done.result())]}))
        else:
            answers[0].add_done_callback(lambda done: reply(_told(done.exception() or done.result())))

    async def _progress(self, sid: str, body: Any) -> Answer:
        worker = self._worker(sid)
        for one in [parsed(JobProgress, one) for one in _several(body)]:
            await chat.progress(
                self._house.engine,
                worker.worker_id,
                one.job_id,
                one.attempt,
                fraction=one.fraction,
                message=one.message,
            )
        return {}

    async def _log(self, sid: str, body: Any) -> Answer:
        worker = self._worker(sid)
        for one in [parsed(JobLog, one) for one in _several(body)]:
            await chat.log(self._house.engine, worker.worker_id, one.job_id, one.attempt, one.lines)
        return {}

    def _token(self, sid: str) -> Token:
        token = self._board.token(sid)
        if token is None:
            raise NotSignedIn
        return token

    def _worker(self, sid: str) -> WorkerToken:
        token = self._token(sid)
        if not isinstance(token, WorkerToken):
            raise NotSignedIn("This is for workers.")
        return token


def _told(outcome: BaseException | None) -> Answer:
    return {"ok": True} if outcome is None else apology(cast(Exception, outcome))


def _several(body: Any) -> list[Any]:
    return body if isinstance(body, list) else [body]  # pyright: ignore[reportUnknownVariableType]


def _client_in(auth: Any) -> str | None:
    """Which of somebody's clients this is; whoever does not say gets along without."""
    client = auth.get("client") if isinstance(auth, dict) else None  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]
    return client if isinstance(client, str) and 0 < len(client) <= LONGEST_CLIENT and client.isprintable() else None


def _token_in(auth: Any) -> str:
    token = auth.get("token") if isinstance(auth, dict) else None  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]
    if not isinstance(token, str):
        raise NotSignedIn("Connect with auth = {token}.")
    return token
