"""The floor of a push round trip: the same sockets, the same database, two commits, and nothing else.

`python -m bench.echo URL` serves it on a free port and prints the address: POST /submit writes a row and pushes it to
the worker's socket; the worker's answer updates the row and is pushed to the client's socket.
"""

from __future__ import annotations

import socket
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import orjson
import socketio
import uvicorn
from psycopg_pool import AsyncConnectionPool
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from uuid_utils.compat import uuid7

_TABLE = "CREATE TABLE IF NOT EXISTS echo (id uuid PRIMARY KEY, state text NOT NULL, arguments jsonb, result jsonb)"


def application(url: str) -> Any:
    sio: Any = socketio.AsyncServer(async_mode="asgi")
    pool = AsyncConnectionPool(url, open=False, kwargs={"autocommit": True, "prepare_threshold": 0})

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncGenerator[None]:
        async with pool:
            async with pool.connection() as connection:
                await connection.execute(_TABLE)
            yield

    async def submit(request: Request) -> Response:
        body = orjson.loads(await request.body())
        job = str(uuid7())
        async with pool.connection() as connection:
            await connection.execute("INSERT INTO echo VALUES (%s, 'assigned', %s)", (job, orjson.dumps(body).decode()))
        await sio.emit("job:assigned", {"jobId": job, "data": body}, room="worker")
        return Response(orjson.dumps({"jobId": job}), 202, media_type="application/json")

    async def join(sid: str, place: str) -> None:
        await sio.enter_room(sid, place)

    async def done(_: str, body: dict[str, Any]) -> dict[str, bool]:
        async with pool.connection() as connection:
            await connection.execute(
                "UPDATE echo SET state = 'completed', result = %s WHERE id = %s AND state = 'assigned'",
                (orjson.dumps(body["result"]).decode(), body["jobId"]),
            )
        await sio.emit("job:state_changed", {"jobId": body["jobId"], "status": "completed"}, room="client")
        return {"ok": True}

    sio.on("join", join)
    sio.on("done", done)
    app = Starlette(routes=[Route("/submit", submit, methods=["POST"])], lifespan=lifespan)
    return socketio.ASGIApp(sio, app)


def main(url: str) -> None:
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    config = uvicorn.Config(application(url), log_config=None, access_log=False)
    print(f"http://127.0.0.1:{listener.getsockname()[1]}", flush=True)
    uvicorn.Server(config).run(sockets=[listener])


if __name__ == "__main__":
    main(sys.argv[1])
