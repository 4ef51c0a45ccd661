"""Several remote workers in one process, which log every execution: `python counting_workers.py URL FOLDER COUNT`."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from pathlib import Path
from typing import Any

from workroom import AsyncRoom, Category, Extension
from workroom.worker.execution.execution_state import CURRENT

LOG = Path(sys.argv[2]) / f"{os.getpid()}.log"


class Counted(Extension):
    category = Category.MODIFIER
    seconds: float = 0.0

    def run(self, vis: Any, **kwargs: Any) -> None:
        execution = CURRENT.get()
        assert execution is not None
        file = os.open(LOG, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        os.write(file, f"{execution.assignment.job_id} {execution.assignment.attempt}\n".encode())
        os.close(file)
        time.sleep(self.seconds)


async def main() -> None:
    rooms: list[AsyncRoom] = []
    for _ in range(int(sys.argv[3])):
        room = AsyncRoom("lab", sys.argv[1], "worker")
        await room.open()
        await room.register_extension(Counted, on_worker_lost="requeue", tries=3, concurrency=2)
        rooms.append(room)
    print("online", flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main())
