"""The worker's side of a job process."""

from __future__ import annotations

import asyncio
import os
import secrets
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import orjson

from workroom.confinement.policy import Policy
from workroom.domain.errors import Unavailable
from workroom.domain.jobs.job_error import process_died_error
from workroom.domain.jobs.outcomes import Failed, Outcome, Succeeded
from workroom.logs import get_logger
from workroom.worker.execution.execution_state import Execution, Stop
from workroom.worker.execution.outcome_conversion import stopped
from workroom.worker.processes.connection_broker import ConnectionBroker
from workroom.worker.processes.limits import ProcessLimits
from workroom.worker.processes.output import Output

log = get_logger(__name__)

# How long a job may take to stop when asked. Then its process is killed with everything that it started.
NOTICE_SECONDS = {Stop.CANCEL: 2.0, Stop.TIMEOUT: 0.5, Stop.LOST: 2.0}
_EXIT_SECONDS = 2.0
_CLEAN_UP_SECONDS = 20.0  # to clean up after a job
_LONGEST_MESSAGE = 16_000_000  # a result takes at most 1 MB, but more with escapes
_HINTS: dict[int, str] = {
    signal.SIGKILL: "The machine may have run out of memory.",
    signal.SIGXCPU: "It used more processor time than it may.",
}


class JobProcess:
    """Runs one job after the other. To be used on one event loop."""

    def __init__(
        self, process: asyncio.subprocess.Process, control_out: asyncio.StreamReader, transport: asyncio.ReadTransport
    ) -> None:
        self._process = process
        self._control_out = control_out
        self._transport = transport  # of control_out
        self._loop = asyncio.get_running_loop()
        self._output = Output()
        self._execution: Execution | None = None
        self._outcome: Outcome | None = None
        self._changed = asyncio.Condition()
        self._ended = False
        self._is_ready = False
        self._cleaned_up_jobs = 0  # how many jobs it has cleaned up after
        self._idle: tuple[str | None] | None = None  # it has cleaned up, but not all output of the job has been read
        self.finished = asyncio.Event()  # it has exited, or must not be used again
        self.jobs = 0
        self.on_idle: Callable[[str | None], None] = _ignore  # called with why it must not be used again, or None
        self._reader = asyncio.create_task(self._read_until_exit(), name=f"job process {process.pid}")

    @classmethod
    async def start(
        cls,
        *,
        environment: dict[str, str] | None = None,
        folder: Path | None = None,
        limits: ProcessLimits | None = None,
        policy: Policy | None = None,
        broker: ConnectionBroker | None = None,
    ) -> JobProcess:
        """Start an interpreter in a session of its own, so that Ctrl-C reaches only the worker.

        With a policy and limits it is confined; then it reaches the server by the broker alone.
        """
        read_end, write_end = os.pipe()
        program, descriptors = ["workroom.worker.processes.child", str(write_end)], [write_end]
        if policy is not None and limits is not None and broker is not None:
            start = {"limits": limits.as_message(), "policy": policy.as_message()}
            descriptors.append(broker.child_end.fileno())
            program = ["workroom.worker.processes.confined_child", *map(str, descriptors), orjson.dumps(start).decode()]
        try:
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                *program,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.STDOUT,
                pass_fds=descriptors,
                start_new_session=True,
                env=environment,
                cwd=folder,
            )
        except BaseException:
            os.close(read_end)
            raise
        finally:
            os.close(write_end)
        control_out = asyncio.StreamReader(limit=_LONGEST_MESSAGE)
        transport, _ = await asyncio.get_running_loop().connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(control_out), os.fdopen(read_end, "rb")
        )
        return cls(process, control_out, transport)

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        return not self._ended and self._process.returncode is None

    async def warm_up(self, modules: Sequence[str], limits: ProcessLimits, *, within: float) -> None:
        """Import the modules. Raises Unavailable when that fails."""
        self._send({"warm": {"path": sys.path, "modules": list(modules), "memoryMb": limits.memory_mb}})
        try:
            async with asyncio.timeout(within), self._changed:
                await self._changed.wait_for(lambda: self._is_ready or self._ended)
        except TimeoutError:
            raise Unavailable(f"A process was not ready within {within:g} s.") from None
        if not self._is_ready:
            raise Unavailable(f"A process ended before it was ready: {self._output.last_line or 'without output'}.")

    async def perform(self, execution: Execution, message: dict[str, Any]) -> Outcome:
        """Run one job, and wait for its outcome and all of its output."""
        self.jobs += 1
        self._execution, self._outcome = execution, None
        mark = secrets.token_hex(8)
        self._output.begin(execution, mark)
        self._send(message | {"mark": mark})
        execution.on_stop(lambda: _discard(self._loop.call_soon_threadsafe(self._send_stop, execution)))
        try:
            async with self._changed:
                await self._changed.wait_for(lambda: self._outcome is not None or self._ended)
            await self._output.end()
        except BaseException:
            self.kill()
            raise
        finally:
            self._execution = None
        self._loop.call_later(_CLEAN_UP_SECONDS, self._kill_if_not_cleaned_up, self.jobs)
        outcome = self._outcome or self._outcome_of_exit(execution)
        if self._idle is not None:
            (why,), self._idle = self._idle, None
            self.on_idle(why)
        return outcome

    async def end(self) -> None:
        """Let it exit by itself for a moment, then kill it and everything that it started."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        try:
            async with asyncio.timeout(_EXIT_SECONDS):
                await self._process.wait()
        except TimeoutError:
            pass
        self.kill()
        await self._reader

    def kill(self) -> None:
        """Kill the process and everything in its process group."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)

    def _send_stop(self, execution: Execution) -> None:
        if self._execution is not execution or execution.stop is None:
            return
        self._send({"stop": execution.stop})
        self._loop.call_later(NOTICE_SECONDS[execution.stop], self._kill_if_still_running, execution)

    def _kill_if_still_running(self, execution: Execution) -> None:
        if self._execution is execution and self._outcome is None:
            self.kill()

    def _kill_if_not_cleaned_up(self, jobs: int) -> None:
        if self._cleaned_up_jobs < jobs and self.is_alive:
            self.kill()

    async def _read_until_exit(self) -> None:
        """Read its messages and its output until it exits."""
        assert self._process.stdout is not None
        printing = asyncio.create_task(self._output.follow(self._process.stdout), name="job output")
        try:
            while line := await self._control_out.readline():
                await self._on_message(orjson.loads(line))
        except ValueError as error:  # the job has written to the control stream
            log.warning("job process %d sent an invalid message and is killed: %s", self.pid, error)
            self.kill()
        self._transport.close()
        await self._process.wait()
        self.kill()  # its children, which could keep its output open
        await printing
        async with self._changed:
            self._ended = True
            self.finished.set()
            self._changed.notify_all()

    async def _on_message(self, message: dict[str, Any]) -> None:
        execution = self._execution
        match message:
            case {"ready": True}:
                self._is_ready = True
            case {"idle": why}:
                self._cleaned_up_jobs = self.jobs
                # The next job may begin once `perform` has read all output of this one, and has taken its outcome.
                if execution is None:
                    self.on_idle(why)
                else:
                    self._idle = (why,)
            case {"progress": [fraction, text]} if execution is not None:
                execution.reporter.progress(fraction, text)
                return
            case {"result": result}:
                self._outcome = Succeeded(result)
            case {"error": error}:
                self._outcome = Failed(error)
            case {"stopped": True} if execution is not None:
                self._outcome = stopped(execution)
            case _:
                return
        async with self._changed:
            self._changed.notify_all()

    def _send(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        with suppress(OSError, RuntimeError):  # it has exited already
            self._process.stdin.write(orjson.dumps(message) + b"\n")

    def _outcome_of_exit(self, execution: Execution) -> Outcome:
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


def _discard(_: object) -> None:
    pass


def _ignore(_: str | None) -> None:
    pass
