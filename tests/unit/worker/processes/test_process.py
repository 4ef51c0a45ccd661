"""A job process is free for the next job once all output of the last one has been read."""

from __future__ import annotations

import asyncio
import json
from typing import Any
from uuid import uuid4

from workroom.domain.jobs.outcomes import Succeeded
from workroom.worker.execution.execution_state import Execution
from workroom.worker.processes.output import END_OF_OUTPUT
from workroom.worker.processes.process import JobProcess
from workroom.worker.remote.assignment_message import Assignment


class _Pipes:
    """Stands for the streams of a child, so that the test decides in which order their bytes arrive."""

    pid = 2**22 + 1  # above the largest process id of Linux
    returncode: int | None = None

    def __init__(self) -> None:
        self.stdout = asyncio.StreamReader()
        self.stdin = self
        self.sent: list[dict[str, Any]] = []

    def write(self, line: bytes) -> None:
        self.sent.append(json.loads(line))

    def close(self) -> None:
        self.returncode = 0

    async def wait(self) -> int:
        return 0


async def test_the_next_job_begins_when_the_output_of_the_last_one_is_read() -> None:
    pipes: Any = _Pipes()
    control = asyncio.StreamReader()
    process = JobProcess(pipes, control, pipes)
    idle: list[str | None] = []
    process.on_idle = idle.append
    reporter: Any = None
    assignment = Assignment.model_validate(
        {
            "jobId": str(uuid4()),
            "attempt": 1,
            "room": "lab",
            "scope": "builtin",
            "category": "c",
            "name": "n",
            "data": {},
        }
        | {"jobToken": "t", "triesLeft": 1, "timeoutSeconds": None}
    )
    performing = asyncio.create_task(process.perform(Execution(assignment, reporter), {}))
    await asyncio.sleep(0)  # it has sent the job
    control.feed_data(b'{"result": 1}\n{"idle": null}\n')
    for _ in range(20):
        await asyncio.sleep(0)
    assert idle == [] and not performing.done()
    pipes.stdout.feed_data(f"{END_OF_OUTPUT}{pipes.sent[0]['mark']}\n".encode())
    assert await performing == Succeeded(1) and idle == [None]
    control.feed_eof()
    pipes.stdout.feed_eof()
    await process.finished.wait()
