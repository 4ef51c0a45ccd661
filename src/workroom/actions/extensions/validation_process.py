"""Processes that validate what is too much work for the event loop.

A process reads requests from stdin and answers on stdout, each as JSON after its length. It limits its own memory and
time. A process that does not answer in time is killed, because one search of a pattern cannot be interrupted, and the
next request starts another.
"""

from __future__ import annotations

import asyncio
import os
import resource
import signal
import struct
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

import orjson

from workroom.actions.extensions.schema_check import judge_schema
from workroom.actions.extensions.schema_validator import Budget, OverBudget, faults_of
from workroom.domain.errors import BadInput, TooManyRequests

SECONDS = 3.0  # of processor time, for one validation
_STEPS = 2_000_000
_LONGEST_SECONDS = 30.0  # until the process is killed: on a busy machine it gets its processor time late
_START_SECONDS = 30.0
_IDLE_SECONDS = 60.0
_MEMORY_BYTES = 64_000_000  # on top of what the process takes when it has started
_MOST_WAITING = 16
_PROCESSES = 2
_LENGTH = struct.Struct("<I")
_ENVIRONMENT = ("PATH", "PYTHONPATH", "VIRTUAL_ENV", "LANG", "LD_LIBRARY_PATH", "PYTHONDONTWRITEBYTECODE")
_READY = b"ready"


class ProcessPool:
    """The validating processes of one server, started when they are needed and ended when they are idle."""

    def __init__(self) -> None:
        self._slots = asyncio.Semaphore(_PROCESSES)
        self._idle: list[Process] = []
        self._waiting = 0
        self._timer: asyncio.TimerHandle | None = None

    async def ask(self, request: dict[str, Any]) -> dict[str, Any] | None:
        """The answer to a request; None when it takes too long."""
        if self._waiting >= _MOST_WAITING:
            raise TooManyRequests("Too many large validations wait already. Try again in a moment.", retryAfter=5)
        self._waiting += 1
        try:
            async with self._slots:
                return await self._ask(orjson.dumps(request))
        finally:
            self._waiting -= 1

    async def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        while self._idle:
            await _end(self._idle.pop())

    async def _ask(self, request: bytes) -> dict[str, Any] | None:
        process = await self._take()
        try:
            async with asyncio.timeout(_LONGEST_SECONDS):
                answer = orjson.loads(await _exchange(process, request))
        except (TimeoutError, asyncio.IncompleteReadError, ConnectionError):
            await _end(process)
            return None
        except BaseException:
            await _end(process)
            raise
        self._idle.append(process)
        self._end_when_idle()
        return None if answer.get("over_budget") else answer

    async def _take(self) -> Process:
        while self._idle:
            process = self._idle.pop()
            if process.returncode is None:
                return process
        environment = {name: os.environ[name] for name in _ENVIRONMENT if name in os.environ}
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", __name__, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, env=environment
        )
        try:
            async with asyncio.timeout(_START_SECONDS):
                assert process.stdout is not None
                await process.stdout.readexactly(len(_READY))
        except BaseException:
            await _end(process)
            raise
        return process

    def _end_when_idle(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(_IDLE_SECONDS, self._end_idle)

    def _end_idle(self) -> None:
        while self._idle:
            process = self._idle.pop()
            if process.stdin is not None:
                process.stdin.close()  # the process ends at the end of its input


async def _exchange(process: Process, request: bytes) -> bytes:
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write(_LENGTH.pack(len(request)) + request)
    await process.stdin.drain()
    (length,) = _LENGTH.unpack(await process.stdout.readexactly(_LENGTH.size))
    return await process.stdout.readexactly(length)


async def _end(process: Process) -> None:
    with suppress(ProcessLookupError):
        process.kill()
    await process.communicate()


def _answer(request: dict[str, Any]) -> dict[str, Any]:
    budget = Budget(steps=_STEPS, seconds=SECONDS)
    try:
        if "arguments" in request:
            return {"faults": faults_of(request["schema"], request["hash"], request["arguments"], budget)}
        judge_schema(request["name"], request["schema"], budget)
        return {}
    except BadInput as error:
        return {"refused": error.message}
    except (OverBudget, MemoryError):
        return {"over_budget": True}


def _raise_over_budget(*_: object) -> None:
    raise OverBudget


def _limit() -> None:
    """Limit this process: no core file, little more memory than now, lower priority than the server."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.nice(5)
    with suppress(OSError):  # only Linux has a file with the memory of a process
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        most = pages * resource.getpagesize() + _MEMORY_BYTES
        resource.setrlimit(resource.RLIMIT_AS, (most, most))


def main(requests: BinaryIO, answers: BinaryIO) -> None:
    _limit()
    signal.signal(signal.SIGPROF, _raise_over_budget)
    answers.write(_READY)
    answers.flush()
    while header := requests.read(_LENGTH.size):
        request = orjson.loads(requests.read(_LENGTH.unpack(header)[0]))
        # The alarm interrupts what no keyword pays for.
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        try:
            answer = _answer(request)
        except OverBudget:
            answer = {"over_budget": True}
        signal.setitimer(signal.ITIMER_PROF, 0)
        body = orjson.dumps(answer)
        answers.write(_LENGTH.pack(len(body)) + body)
        answers.flush()


if __name__ == "__main__":
    main(sys.stdin.buffer, sys.stdout.buffer)
