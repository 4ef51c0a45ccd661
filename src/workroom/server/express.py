"""The way past the framework, for the request that is made most.

The framework describes such a route, and answers whatever is not plainly right. What is right is taken in by hand,
before it comes to the framework, whose many layers are an eighth of the server's time for a submission.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import orjson
from fastapi import FastAPI, Request
from pydantic import ValidationError
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from workroom.server.http import problems
from workroom.server.http.body_limit import LARGEST_BODY
from workroom.server.http.strict_json import StrictRoute


class ExpressRoute(StrictRoute):
    """A route of which a subclass knows by hand what the framework would find out."""

    def read(self, body: Any) -> Any:
        """The body, checked; a ValidationError when it does not fit."""
        raise NotImplementedError

    async def answer(self, request: Request, named: Mapping[str, str], body: Any) -> bytes:
        """The answer's JSON, to be sent with the route's status; `named` are the parts of the path that have names."""
        raise NotImplementedError


class Express:
    """Serves the express routes of an app; everything else goes the usual way."""

    def __init__(self, usual: ASGIApp, app: FastAPI) -> None:
        self._usual = usual
        self._app = app
        self._routes: Sequence[ExpressRoute] = [one for one in app.routes if isinstance(one, ExpressRoute)]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["method"] == "POST":
            for route in self._routes:
                found = route.path_regex.match(scope["path"])
                if found is not None:
                    await self._serve(route, found.groupdict(), scope, receive, send)
                    return
        await self._usual(scope, receive, send)

    async def _serve(
        self, route: ExpressRoute, named: Mapping[str, str], scope: Scope, receive: Receive, send: Send
    ) -> None:
        length = _length_of_json(scope)
        if length is None:
            await self._usual(scope, receive, send)
            return
        first = await receive()
        body = _read(route, first, length)
        if body is None:
            await self._usual(scope, _once_more(first, receive), send)
            return
        request = Request({**scope, "app": self._app}, receive)
        try:
            answer = await route.answer(request, named, body)
        except Exception as error:
            await (await problems.answer_to(request, error))(scope, receive, send)
            return
        headers = [(b"content-length", b"%d" % len(answer)), (b"content-type", b"application/json")]
        await send({"type": "http.response.start", "status": route.status_code, "headers": headers})
        await send({"type": "http.response.body", "body": answer})


def _length_of_json(scope: Scope) -> int | None:
    """How long the body is; none when it is too long, or not said to be JSON of any length."""
    headers = dict(scope["headers"])
    said = headers.get(b"content-length", b"")
    if headers.get(b"content-type") != b"application/json" or not said.isdigit() or int(said) > LARGEST_BODY:
        return None
    return int(said)


def _read(route: ExpressRoute, message: Message, length: int) -> Any:
    """The body, if it has come in one piece and fits."""
    body = message.get("body", b"")
    if message["type"] != "http.request" or message.get("more_body") or len(body) != length:
        return None
    try:
        return route.read(orjson.loads(body))
    except (orjson.JSONDecodeError, ValidationError):
        return None


def _once_more(first: Message, receive: Receive) -> Receive:
    """What comes, with what has come already."""
    waiting = [first]

    async def again() -> Message:
        return waiting.pop() if waiting else await receive()

    return again
