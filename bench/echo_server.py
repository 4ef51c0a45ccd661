"""The floor of P3, a push round trip: the same frameworks, the same messages and two commits.

`python -m bench.echo_server URL` serves it on a free port and prints the address. POST /submit writes a row and pushes
it to the worker's socket. The worker reports `running`, which is only acknowledged, and `completed`, which updates the
row and is pushed to the client's socket. No accounts, no rooms, no schema, no queue.
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
from fastapi import FastAPI
from psycopg_pool import AsyncConnectionPool
from pydantic import BaseModel
from uuid_utils.compat import uuid7

_TABLE = "CREATE TABLE IF NOT EXISTS echo (id uuid PRIMARY KEY, state text NOT NULL, arguments jsonb, result jsonb)"


class Submission(BaseModel):
    data: dict[str, Any]


class Accepted(BaseModel):
    jobId: str  # noqa: N815 - as on the wire


def application(url: str) -> Any:
    sio: Any = socketio.AsyncServer(async_mode="asgi")
    # One connection is enough for one job at a time; choosing among several would slow the floor down a little.
    options = {"autocommit": True, "prepare_threshold": 0}
    pool = AsyncConnectionPool(url, min_size=1, max_size=1, open=False, kwargs=options)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncGenerator[None]:
        async with pool:
            async with pool.connection() as connection:
                await connection.execute(_TABLE)
            yield

    app = FastAPI(lifespan=lifespan)

    @app.post("/submit", status_code=202)
    async def submit(body: Submission) -> Accepted:  # pyright: ignore[reportUnusedFunction]
        job = str(uuid7())
        arguments = orjson.dumps(body.data).decode()
        async with pool.connection() as connection:
            await connection.execute("INSERT INTO echo VALUES (%s, 'assigned', %s)", (job, arguments))
        await sio.emit("job:assigned", {"jobId": job, "attempt": 1, "data": body.data}, room="worker")
        return Accepted(jobId=job)

    async def connected(sid: str, _: dict[str, Any], auth: dict[str, str]) -> None:
        await sio.enter_room(sid, auth["token"])

    async def report(_: str, body: dict[str, Any]) -> dict[str, bool]:
        if body["status"] == "completed":
            result = orjson.dumps(body["result"]).decode()
            async with pool.connection() as connection:
                await connection.execute(
                    "UPDATE echo SET state = 'completed', result = %s WHERE id = %s AND state = 'assigned'",
                    (result, body["jobId"]),
                )
            await sio.emit("job:state_changed", {"jobId": body["jobId"], "status": "completed"}, room="client")
        return {"ok": True}

    sio.on("connect", connected)
    sio.on("job:status", report)
    return socketio.ASGIApp(sio, app)


def main(url: str) -> None:
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(128)
    config = uvicorn.Config(application(url), log_config=None, access_log=False)

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            print(f"listens at http://127.0.0.1:{listener.getsockname()[1]}", flush=True)

    Server(config).run(sockets=[listener])


if __name__ == "__main__":
    main(sys.argv[1])
