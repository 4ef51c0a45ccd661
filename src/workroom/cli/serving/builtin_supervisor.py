"""Starts the server's process pool for the built-in extensions, and restarts it when it exits."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workroom.actions.engine import new_id
from workroom.client.discovery import this_machine
from workroom.logs import get_logger
from workroom.server.auth.tokens import PoolToken, TokenIssuer
from workroom.server.builtin_names import BuiltinNames
from workroom.worker.processes.limits import scrubbed_environment
from workroom.worker.processes.parent_death import CANNOT_LOAD, NOTHING_TO_DO

if TYPE_CHECKING:
    from workroom.server.settings import Settings

log = get_logger(__name__)

_POLL_SECONDS = 0.2
_MAX_PAUSE_SECONDS = 30.0
_STABLE_SECONDS = 60.0  # an exit after this uptime resets the back-off


class BuiltinSupervisor:
    """Runs the pool from a thread that outlives it: the kernel kills the pool when its parent thread ends."""

    def __init__(
        self, settings: Settings, folder: Path, address: str, tokens: TokenIssuer, names: BuiltinNames
    ) -> None:
        self._settings = settings
        self._names = names  # of the built-in extensions; the pool sends them as soon as it has loaded its modules
        # Worker id and process of the pool, read by its successor. Servers of several machines may share the folder.
        self._status_file = folder / f"pool-{platform.node()}.json"
        self._address = address
        self._tokens = tokens
        self._token = PoolToken(new_id())
        self._stopping = threading.Event()
        self._process: subprocess.Popen[bytes] | None = None
        self._thread = threading.Thread(target=self._supervise, name="builtin supervisor", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Stop the pool. Running jobs may finish within `pool_stop_seconds`, then they are killed."""
        self._stopping.set()
        self._thread.join()

    def _supervise(self) -> None:
        failures = 0
        while not self._stopping.is_set():
            began = time.monotonic()
            try:
                code: int | None = self._run_pool()
            except OSError as error:  # the OS cannot start a process now; tried again
                log.error("built-in pool failed to start, retrying", reason=str(error))
                code = None
            if self._stopping.is_set():
                return
            if code in (NOTHING_TO_DO, CANNOT_LOAD):
                self._names.set(())
            if code == NOTHING_TO_DO:
                log.info(
                    "built-in pool not started: the modules have no extensions", modules=self._settings.pool_modules
                )
                return
            if code == CANNOT_LOAD:
                log.error("built-in pool not started, for the reason above", modules=self._settings.pool_modules)
                return
            failures = 1 if time.monotonic() - began > _STABLE_SECONDS else failures + 1
            log.warning("built-in pool exited, restarting", code=code)
            self._stopping.wait(min(0.1 * 2 ** (failures - 1), _MAX_PAUSE_SECONDS))

    def _run_pool(self) -> int:
        """Run one pool process until it exits; returns its exit code."""
        process = subprocess.Popen(
            [sys.executable, "-m", "workroom.worker.builtin"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=scrubbed_environment() | {"HOME": os.environ.get("HOME", "/")},
            start_new_session=True,  # Ctrl-C goes to the server only, which then drains the pool
        )
        with process:
            self._send(process, self._start_message())
            threading.Thread(target=self._read_output, args=(process,), name="pool output", daemon=True).start()
            renew_seconds = self._settings.worker_token_seconds / 2
            renew_at = time.monotonic() + renew_seconds
            while not self._stopping.wait(_POLL_SECONDS):
                if process.poll() is not None:
                    return process.returncode
                if time.monotonic() >= renew_at:
                    renew_at = time.monotonic() + renew_seconds
                    self._send(process, {"token": self._fresh_token()})
            self._stop_pool(process)
            return process.returncode

    def _stop_pool(self, process: subprocess.Popen[bytes]) -> None:
        seconds = self._settings.pool_stop_seconds
        self._send(process, {"drain": seconds})
        try:
            process.wait(seconds + 10)
        except subprocess.TimeoutExpired:
            log.warning("built-in pool did not stop in time, killing it", pid=process.pid)
            process.kill()
            process.wait()
        if process.returncode == 0:  # it has unregistered
            self._status_file.unlink(missing_ok=True)

    def _start_message(self) -> dict[str, Any]:
        settings = self._settings
        return {
            "url": self._address,
            "token": self._fresh_token(),
            "former": former_pool(self._status_file),
            "log": [settings.log_level, settings.log_format],
            "plan": {
                "modules": settings.pool_modules,
                "size": settings.pool,
                "memory_mb": settings.pool_memory_mb or None,
                "timeout_seconds": settings.pool_timeout_seconds,
                "nice": settings.pool_nice,
                "jobs_each": settings.pool_jobs_each,
                "confine": settings.pool_confine,
                "network": settings.pool_network,
                "readable": settings.pool_readable,
                "writable": settings.pool_writable,
                "private": [str(self._status_file.parent.resolve())],
            },
        }

    def _fresh_token(self) -> str:
        return self._tokens.issue(self._token, self._settings.worker_token_seconds)

    def _send(self, process: subprocess.Popen[bytes], message: dict[str, Any]) -> None:
        assert process.stdin is not None
        with suppress(OSError):  # the pool has exited; the supervisor notices at its next poll
            process.stdin.write(json.dumps(message).encode() + b"\n")
            process.stdin.flush()

    def _read_output(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdout is not None
        with suppress(ValueError, OSError):  # the pipe was closed meanwhile
            for line in process.stdout:
                message = json.loads(line)
                if "names" in message:
                    self._names.set((category, name) for category, name in message["names"])
                    continue
                self._status_file.write_text(json.dumps(message | {"machine": this_machine()}))
                log.info("built-in pool registered", processes=self._settings.pool)


def former_pool(status_file: Path) -> str | None:
    """The worker id of the pool that wrote the file, if its process has exited.

    Only a process of this machine and container can be looked up. The lease of any other pool ends by itself.
    """
    try:
        status = json.loads(status_file.read_text())
        worker_id, pid, machine = str(status["workerId"]), int(status["pid"]), status["machine"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    if machine != this_machine():
        return None
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return worker_id
    except PermissionError:
        pass
    return None
