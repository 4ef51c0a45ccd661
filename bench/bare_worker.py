"""`python -m bench.bare_worker URL TOKEN`: a worker that reports each job as running and at once as completed."""

from __future__ import annotations

import asyncio
import sys
from typing import Any

import socketio


async def main(url: str, token: str) -> None:
    sio: Any = socketio.AsyncClient(reconnection=False)

    async def assigned(job: dict[str, Any]) -> None:
        report = {"jobId": job["jobId"], "attempt": job["attempt"]}
        await sio.emit("job:status", report | {"status": "running"})
        await sio.emit("job:status", report | {"status": "completed", "result": job["data"]["n"]})

    sio.on("job:assigned", assigned)
    await sio.connect(url, auth={"token": token}, transports=["websocket"])
    print("ready", flush=True)
    await sio.wait()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
