"""Socket.IO: people join rooms, workers attach and report.

A person's socket connects with the token from login, a worker's with the token from registration. Handlers follow the
same rules as the routes, call the same actions, and answer with the same errors, as `{"ok": false, "code": …}`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import structlog
from pydantic import BaseModel, ValidationError
from socketio.exceptions import ConnectionRefusedError as Refused

from workroom.actions import look, register, talk
from workroom.domain.errors import BadInput, Conflict, NotSignedIn, WorkerLost, WorkroomError
from workroom.domain.rights import Rights
from workroom.server import switchboard
from workroom.server.doorman import enter, person_of
from workroom.server.house import House
from workroom.server.status import as_report
from workroom.server.switchboard import Switchboard
from workroom.server.tokens import JobToken, PersonToken, Token, WorkerToken
from workroom.wire.sockets import ChatSaid, JobLog, JobProgress, JobStatus, RoomNamed

log = structlog.get_logger("workroom.sockets")
Model = TypeVar("Model", bound=BaseModel)
Answer = dict[str, Any]


class Sockets:
    """The handlers of one server."""

    def __init__(self, board: Switchboard, house: House) -> None:
        self._board = board
        self._house = house
        self._tasks: set[asyncio.Task[None]] = set()
        board.on("connect", self._connect)
        board.on("disconnect", self._disconnect)
        for name, handler in (
            ("room:join", self._join),
            ("room:leave", self._leave),
            ("chat:send", self._chat),
            ("job:status", self._status),
            ("job:progress", self._progress),
            ("job:log", self._log),
        ):
            board.on(name, _answering(handler))

    async def _connect(self, sid: str, environ: dict[str, Any], auth: Any = None) -> None:
        try:
            token = self._house.mint.read(_token_in(auth))
            match token:
                case WorkerToken():
                    worker = await look.worker(self._house.engine, token.worker_id)
                    if worker.incarnation != token.incarnation or worker.gone_at is not None:
                        raise WorkerLost(workerId=str(token.worker_id))
                    await self._board.remember(sid, token)
                    await self._board.join(sid, switchboard.worker(token.worker_id))
                    # Jobs may only be pushed once the client knows that it is connected: the task cannot start before
                    # this handler has returned and the answer is on its way.
                    self._keep(asyncio.create_task(self._attach(sid, token)))
                case PersonToken():
                    visitor = await person_of(self._house, token)
                    await self._board.remember(sid, token)
                    await self._board.join(sid, switchboard.account(visitor.account_id))
                    await self._board.join(sid, switchboard.EVERYONE)
                    if visitor.is_admin:
                        await self._board.join(sid, switchboard.ADMINS)
                case JobToken():
                    await self._board.remember(sid, token)
        except WorkroomError as error:
            raise Refused(error.message, {"code": error.code, "message": error.message}) from None

    async def _attach(self, sid: str, token: WorkerToken) -> None:
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
        return sid in self._board.listeners(switchboard.worker(token.worker_id))

    def _keep(self, task: asyncio.Task[None]) -> None:
        """The event loop forgets tasks that nobody holds."""
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _replace_older(self, sid: str, token: WorkerToken) -> None:
        """A worker has one socket: the newest."""
        place = switchboard.worker(token.worker_id)
        for other in self._board.listeners(place):
            if other != sid:
                await self._board.leave(other, place)
                await self._board.disconnect(other)

    async def _disconnect(self, sid: str, reason: str | None = None) -> None:
        token = await self._board.token(sid)
        if not isinstance(token, WorkerToken):
            return
        if any(other != sid for other in self._board.listeners(switchboard.worker(token.worker_id))):
            return
        try:
            await register.detach(self._house.engine, token.worker_id, token.incarnation)
        except WorkroomError as error:
            log.warning("worker not detached", worker=str(token.worker_id), code=error.code)

    async def _join(self, sid: str, body: Any) -> Answer:
        wanted = _parsed(RoomNamed, body)
        token = await self._token(sid)
        if isinstance(token, WorkerToken):
            raise NotSignedIn("Rooms are joined by people and by jobs.")
        visit = await enter(self._house, token, wanted.room, Rights.READ)
        await self._board.join(sid, switchboard.room(visit.room))
        return {"room": visit.room, "rights": visit.rights}

    async def recheck(self, room: str) -> None:
        """Show out of a room whoever may no longer see it."""
        for sid in self._board.listeners(switchboard.room(room)):
            token = await self._token(sid)
            try:
                if not isinstance(token, WorkerToken):
                    await enter(self._house, token, room, Rights.READ)
            except WorkroomError:
                await self._board.leave(sid, switchboard.room(room))

    async def _leave(self, sid: str, body: Any) -> Answer:
        wanted = _parsed(RoomNamed, body)
        await self._board.leave(sid, switchboard.room(wanted.room))
        return {"room": wanted.room}

    async def _chat(self, sid: str, body: Any) -> Answer:
        said = _parsed(ChatSaid, body)
        token = await self._token(sid)
        if isinstance(token, WorkerToken):
            raise NotSignedIn("Chat is for people and for jobs.")
        visit = await enter(self._house, token, said.room, Rights.WRITE)
        message = await talk.say(self._house.engine, visit.room, visit.visitor.account_id, said.text)
        return {"id": str(message.id)}

    async def _status(self, sid: str, body: Any) -> Answer:
        """One status update, or a list of several."""
        worker = await self._worker(sid)
        answers: list[asyncio.Future[Conflict | None]] = []
        for one in [_parsed(JobStatus, one) for one in _several(body)]:
            said = as_report(one.job_id, one)
            answers.append(self._house.inbox.put(worker.worker_id, worker.incarnation, said))
        told = [_told(refusal) for refusal in await asyncio.gather(*answers, return_exceptions=True)]
        return {"ok": True, "answers": told} if isinstance(body, list) else told[0]

    async def _progress(self, sid: str, body: Any) -> Answer:
        worker = await self._worker(sid)
        for one in [_parsed(JobProgress, one) for one in _several(body)]:
            await talk.progress(
                self._house.engine,
                worker.worker_id,
                one.job_id,
                one.attempt,
                fraction=one.fraction,
                message=one.message,
            )
        return {}

    async def _log(self, sid: str, body: Any) -> Answer:
        worker = await self._worker(sid)
        for one in [_parsed(JobLog, one) for one in _several(body)]:
            await talk.log(self._house.engine, worker.worker_id, one.job_id, one.attempt, one.lines)
        return {}

    async def _token(self, sid: str) -> Token:
        token = await self._board.token(sid)
        if token is None:
            raise NotSignedIn
        return token

    async def _worker(self, sid: str) -> WorkerToken:
        token = await self._token(sid)
        if not isinstance(token, WorkerToken):
            raise NotSignedIn("This is for workers.")
        return token


def _answering(handler: Callable[[str, Any], Awaitable[Answer]]) -> Callable[[str, Any], Awaitable[Answer]]:
    """The handler, whose errors are answers too: an acknowledgement always comes."""

    async def answered(sid: str, body: Any = None) -> Answer:
        try:
            return {"ok": True} | await handler(sid, body)
        except WorkroomError as error:
            return _refusal(error)
        except Exception:
            log.exception("socket handler failed")
            return {"ok": False, "code": "error", "message": "Something went wrong in the server; its log says what."}

    return answered


def _refusal(error: WorkroomError) -> Answer:
    return {"ok": False, "code": error.code, "status": error.status, "message": error.message}


def _told(outcome: BaseException | None) -> Answer:
    if outcome is None:
        return {"ok": True}
    if isinstance(outcome, WorkroomError):
        return _refusal(outcome)
    raise outcome


def _several(body: Any) -> list[Any]:
    return body if isinstance(body, list) else [body]  # pyright: ignore[reportUnknownVariableType]


def _parsed(model: type[Model], body: Any) -> Model:
    try:
        return model.model_validate(body)
    except ValidationError as error:
        fault = error.errors()[0]
        path = ".".join(str(part) for part in fault["loc"])
        raise BadInput(f"{path or 'message'}: {fault['msg']}") from None


def _token_in(auth: Any) -> str:
    token = auth.get("token") if isinstance(auth, dict) else None  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]
    if not isinstance(token, str):
        raise NotSignedIn("Connect with auth = {token}.")
    return token
