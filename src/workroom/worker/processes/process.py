"""A job's own process, from the worker's side."""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import orjson

from workroom.domain.errors import Unavailable
from workroom.domain.jobs.failures import process_died_error
from workroom.domain.jobs.outcomes import Failed, Outcome, Succeeded
from workroom.worker.execution.execution import Execution, Stop
from workroom.worker.execution.outcome import stopped
from workroom.worker.processes.limits import ProcessLimits
from workroom.worker.processes.output import Output

log = logging.getLogger("workroom.worker")

# How long a job may take to stop by itself when asked to; then its process is killed, with all it started.
NOTICE_SECONDS = {Stop.CANCEL: 2.0, Stop.TIMEOUT: 0.5, Stop.LOST: 2.0}
_FAREWELL_SECONDS = 2.0
_TIDY_SECONDS = 20.0  # for what a job left behind
_LONGEST_WORD = 16_000_000  # a result takes a megabyte at most; its escapes may take more
_HINTS: dict[int, str] = {
    signal.SIGKILL: "The machine may have run out of memory.",
    signal.SIGXCPU: "It used more processor time than it may.",
}


class JobProcess:
    """Runs one order after the other. To be used on one event loop."""

    def __init__(
        self, process: asyncio.subprocess.Process, words: asyncio.StreamReader, line: asyncio.ReadTransport
    ) -> None:
        self._process = process
        self._words = words
        self._line = line  # on which they come
        self._loop = asyncio.get_running_loop()
        self._output = Output()
        self._execution: Execution | None = None
        self._outcome: Outcome | None = None
        self._news = asyncio.Condition()
        self._ended = False
        self._is_ready = False
        self._tidied = 0  # after how many jobs it was last as before
        self.over = asyncio.Event()  # it has ended, or is wanted no more
        self.jobs = 0
        self.when_idle: Callable[[str | None], None] = _ignore  # told why it is better not used again, if so
        self._following = asyncio.create_task(self._follow(), name=f"job process {process.pid}")

    @classmethod
    async def start(
        cls, *, environment: dict[str, str] | None = None, folder: Path | None = None, arguments: Sequence[str] = ()
    ) -> JobProcess:
        """A fresh interpreter in a session of its own: Ctrl-C is for the worker, which then lets its jobs finish."""
        theirs, ours = os.pipe()
        try:
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "workroom.worker.processes.child",
                str(ours),
                *arguments,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.STDOUT,
                pass_fds=[ours],
                start_new_session=True,
                env=environment,
                cwd=folder,
            )
        except BaseException:
            os.close(theirs)
            raise
        finally:
            os.close(ours)
        words = asyncio.StreamReader(limit=_LONGEST_WORD)
        line, _ = await asyncio.get_running_loop().connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(words), os.fdopen(theirs, "rb")
        )
        return cls(process, words, line)

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        return not self._ended and self._process.returncode is None

    async def warm_up(self, modules: Sequence[str], confines: ProcessLimits, *, within: float) -> None:
        """Load these, under these limits; Unavailable when that fails."""
        self._tell({"warm": {"path": sys.path, "modules": list(modules), "confines": confines.as_message()}})
        try:
            async with asyncio.timeout(within), self._news:
                await self._news.wait_for(lambda: self._is_ready or self._ended)
        except TimeoutError:
            raise Unavailable(f"A process was not ready within {within:g} s.") from None
        if not self._is_ready:
            raise Unavailable(f"A process ended before it was ready: {self._output.last_line or 'without a word'}.")

    async def perform(self, execution: Execution, order: dict[str, Any]) -> Outcome:
        """Run one order, and wait for its outcome and all it printed."""
        self.jobs += 1
        self._execution, self._outcome = execution, None
        mark = secrets.token_hex(8)
        self._output.begin(execution, mark)
        self._tell(order | {"mark": mark})
        execution.when_stopped(lambda: _called(self._loop.call_soon_threadsafe(self._ask_to_stop, execution)))
        try:
            async with self._news:
                await self._news.wait_for(lambda: self._outcome is not None or self._ended)
            await self._output.end()
        except BaseException:
            self.kill()
            raise
        finally:
            self._execution = None
        self._loop.call_later(_TIDY_SECONDS, self._kill_if_untidy, self.jobs)
        return self._outcome or self._ended_without_a_word(execution)

    async def end(self) -> None:
        """Let it end by itself for a moment, then by force; nothing it has started stays."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        try:
            async with asyncio.timeout(_FAREWELL_SECONDS):
                await self._process.wait()
        except TimeoutError:
            pass
        self.kill()
        await self._following

    def kill(self) -> None:
        """The process and everything in its group."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)

    def _ask_to_stop(self, execution: Execution) -> None:
        if self._execution is not execution or execution.stop is None:
            return
        self._tell({"stop": execution.stop})
        self._loop.call_later(NOTICE_SECONDS[execution.stop], self._kill_if_it_still_runs, execution)

    def _kill_if_it_still_runs(self, execution: Execution) -> None:
        if self._execution is execution and self._outcome is None:
            self.kill()

    def _kill_if_untidy(self, jobs: int) -> None:
        if self._tidied < jobs and self.is_alive:
            self.kill()

    async def _follow(self) -> None:
        """Everything it says and prints, until it ends."""
        assert self._process.stdout is not None
        printing = asyncio.create_task(self._output.follow(self._process.stdout), name="what a job prints")
        try:
            while line := await self._words.readline():
                await self._hear(orjson.loads(line))
        except ValueError as error:  # not our words: the job has written where it should not
            log.warning("process %d cannot be understood: %s", self.pid, error)
            self.kill()
        self._line.close()
        await self._process.wait()
        self.kill()  # what it started, and what could keep its output open
        await printing
        async with self._news:
            self._ended = True
            self.over.set()
            self._news.notify_all()

    async def _hear(self, word: dict[str, Any]) -> None:
        execution = self._execution
        match word:
            case {"ready": True}:
                self._is_ready = True
            case {"idle": why}:
                self._tidied = self.jobs
                self.when_idle(why)
            case {"progress": [fraction, message]} if execution is not None:
                execution.voice.progress(fraction, message)
                return
            case {"result": result}:
                self._outcome = Succeeded(result)
            case {"error": error}:
                self._outcome = Failed(error)
            case {"stopped": True} if execution is not None:
                self._outcome = stopped(execution)
            case _:
                return
        async with self._news:
            self._news.notify_all()

    def _tell(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        with suppress(OSError, RuntimeError):  # it has ended already
            self._process.stdin.write(orjson.dumps(message) + b"\n")

    def _ended_without_a_word(self, execution: Execution) -> Outcome:
        if execution.stop is not None:
            return stopped(execution)
        return died(self._process.returncode or 0)


def died(code: int) -> Failed:
    if code < 0:
        how = f"was killed by signal {-code} ({_signal_name(-code)})"
        hint = _HINTS.get(-code, "Its last lines may say why.")
    else:
        how, hint = f"ended with exit code {code}", "Its last lines may say why."
    return Failed(process_died_error(f"The job's process {how}. {hint}"))


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return "unknown"


def _called(_: object) -> None:
    pass


def _ignore(_: str | None) -> None:
    pass
