"""Questions of forms that a worker answers: which values a field of an extension can have.

The question goes to one worker that offers the extension, by its socket. The answer comes back as an event of that
socket, perhaps at another server, which passes it on.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from typing import Any
from uuid import UUID

from workroom.actions.engine import Engine, new_id
from workroom.actions.queries import workers as worker_queries
from workroom.domain.errors import BadInput, TooManyRequests, Unavailable
from workroom.server.auth.tokens import PersonToken, ReadToken, TokenIssuer, WorkerToken
from workroom.server.realtime.handler_wrapper import Answer, acknowledged, parse
from workroom.server.realtime.hub import SocketHub
from workroom.server.replicas.bus import ReplicaBus
from workroom.store.queue_tables.extensions import ExtensionRow
from workroom.wire.forms.choices import Choice
from workroom.wire.socket_requests import AnswerChoices

ANSWER_SECONDS = 10.0
_WORKER_SECONDS = 8.0  # shorter than ANSWER_SECONDS, so the worker reports its own time-out
_MOST_OF_ACCOUNT = 8
_ATTACH_SECONDS = 2.0
_LOOK_SECONDS = 0.2
_MOST = 500


class ChoicesRequests:
    """The questions of this server that wait for their answer."""

    def __init__(self, sockets: SocketHub, engine: Engine, tokens: TokenIssuer) -> None:
        self._hub = sockets
        self._engine = engine
        self._tokens = tokens
        self._bus: ReplicaBus | None = None
        self._waiting: dict[UUID, tuple[UUID, asyncio.Future[AnswerChoices]]] = {}  # with the worker that was asked
        self._by_account: Counter[UUID] = Counter()
        sockets.on("extension:answer", acknowledged("extension:answer", self._answered, sockets.token, WorkerToken))

    def connect_bus(self, bus: ReplicaBus) -> None:
        """From now on answers also come from other servers."""
        self._bus = bus
        bus.on("choices", lambda _, body: self._resolve(UUID(body[0]), AnswerChoices.model_validate(body[1])))

    async def ask(
        self, token: PersonToken, room: str, extension: ExtensionRow, field: str, data: dict[str, Any]
    ) -> list[Choice]:
        """Ask a worker. Raises Unavailable if none is online or answers in time, BadInput if its method fails."""
        properties: Any = extension.schema.get("properties", {})
        if "choices" not in properties.get(field, {}):
            raise BadInput(f"{extension.name} has no field {field[:100]!r} whose choices a worker answers.")
        if self._by_account[token.account_id] >= _MOST_OF_ACCOUNT or len(self._waiting) >= _MOST:
            raise TooManyRequests("Too many forms ask for choices at once. Try again in a moment.")
        worker_id = await self._find_worker(extension.id)
        if worker_id is None:
            raise Unavailable(f"No worker of {extension.name} is online to answer the choices of {field}.")
        return await self._ask(worker_id, token, room, extension, field, data)

    async def _find_worker(self, extension_id: int) -> UUID | None:
        """A worker that is online. One that has just registered, or reconnects, is waited for a moment."""
        deadline = time.monotonic() + _ATTACH_SECONDS
        while True:
            worker_id = await worker_queries.find_online(self._engine, extension_id)
            if worker_id is not None or time.monotonic() > deadline:
                return worker_id
            await asyncio.sleep(_LOOK_SECONDS)

    async def _ask(
        self, worker_id: UUID, token: PersonToken, room: str, extension: ExtensionRow, field: str, data: dict[str, Any]
    ) -> list[Choice]:
        question = new_id()
        answered: asyncio.Future[AnswerChoices] = asyncio.get_running_loop().create_future()
        body = {
            "id": str(question),
            "room": room,
            "scope": extension.scope,
            "category": extension.category,
            "name": extension.name,
            "field": field,
            "data": data,
            "token": self._tokens.issue(
                ReadToken(token.account_id, token.epoch, room, token.api_token), 2 * ANSWER_SECONDS
            ),
            "timeoutSeconds": _WORKER_SECONDS,
        }
        self._waiting[question] = worker_id, answered
        self._by_account[token.account_id] += 1
        try:
            self._hub.emit_to_worker("extension:choices", body, worker_id)
            async with asyncio.timeout(ANSWER_SECONDS):
                answer = await answered
        except TimeoutError:
            raise Unavailable(
                f"The worker of {extension.name} did not answer the choices of {field} within {ANSWER_SECONDS:g} s."
            ) from None
        finally:
            del self._waiting[question]
            self._by_account -= Counter([token.account_id])
        if answer.choices is None:
            raise BadInput(f"{extension.name} has no choices for {field}: {answer.error}")
        return answer.choices

    async def _answered(self, sid: str, body: Any) -> Answer:
        """A worker has answered a question of this server or of another one."""
        token = self._hub.token(sid)
        answer = parse(AnswerChoices, body)
        if not isinstance(token, WorkerToken):
            return {}
        if answer.id in self._waiting:
            self._resolve(token.worker_id, answer)
        elif self._bus is not None and self._bus.others:
            self._bus.send("choices", [str(token.worker_id), answer.model_dump(mode="json", by_alias=True)])
        return {}

    def _resolve(self, worker_id: UUID, answer: AnswerChoices) -> None:
        """Answers of other workers are ignored."""
        waiting = self._waiting.get(answer.id)
        if waiting is not None and waiting[0] == worker_id and not waiting[1].done():
            waiting[1].set_result(answer)
