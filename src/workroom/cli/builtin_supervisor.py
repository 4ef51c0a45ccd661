"""Keeps the server's own pool: starts the worker behind the built-in extensions, and another when it dies."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import structlog

from workroom.actions.engine import new_id
from workroom.server.auth.tokens import PoolToken, TokenIssuer
from workroom.worker.processes.limits import scrubbed_environment
from workroom.worker.processes.parent_death import CANNOT_LOAD, NOTHING_TO_DO

if TYPE_CHECKING:
    from workroom.server.settings import Settings

log = structlog.get_logger("workroom.serve")

_LOOK = 0.2
_LONGEST_PAUSE = 30.0
_STEADY_AFTER = 60.0  # seconds of life after which an end counts as the first one
_WORD_FILE = "pool.json"  # which worker the pool is, for the one that comes after it


class PoolKeeper:
    """One thread, which lives as long as the pool: the kernel ends the pool with the thread that started it."""

    def __init__(self, settings: Settings, folder: Path, address: str, mint: TokenIssuer) -> None:
        self._settings = settings
        self._word = folder / _WORD_FILE
        self._address = address
        self._mint = mint
        self._token = PoolToken(new_id())
        self._ends = threading.Event()
        self._process: subprocess.Popen[bytes] | None = None
        self._thread = threading.Thread(target=self._keep, name="pool keeper", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Let the jobs that run end, for as long as the settings allow; then nothing of the pool is left."""
        self._ends.set()
        self._thread.join()

    def _keep(self) -> None:
        failures = 0
        while not self._ends.is_set():
            began = time.monotonic()
            try:
                code: int | None = self._live()
            except OSError as error:  # no process can be started: perhaps later
                log.error("the pool cannot be started", reason=str(error))
                code = None
            if self._ends.is_set():
                return
            if code == NOTHING_TO_DO:
                log.info("no built-in extensions to run: no pool", modules=self._settings.pool_modules)
                return
            if code == CANNOT_LOAD:
                log.error("no pool: see the line above", modules=self._settings.pool_modules)
                return
            failures = 1 if time.monotonic() - began > _STEADY_AFTER else failures + 1
            log.warning("the pool has ended and is started again", code=code)
            self._ends.wait(min(0.1 * 2 ** (failures - 1), _LONGEST_PAUSE))

    def _live(self) -> int:
        """One worker's life."""
        process = subprocess.Popen(
            [sys.executable, "-m", "workroom.worker.builtin"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=scrubbed_environment() | {"HOME": os.environ.get("HOME", "/")},
            start_new_session=True,  # Ctrl-C is for the server, which then asks
        )
        with process:
            self._tell(process, self._order())
            threading.Thread(target=self._listen, args=(process,), name="pool words", daemon=True).start()
            life = self._settings.worker_token_seconds / 2
            renew_at = time.monotonic() + life
            while not self._ends.wait(_LOOK):
                if process.poll() is not None:
                    return process.returncode
                if time.monotonic() >= renew_at:
                    renew_at = time.monotonic() + life
                    self._tell(process, {"token": self._fresh_token()})
            self._end(process)
            return process.returncode

    def _end(self, process: subprocess.Popen[bytes]) -> None:
        seconds = self._settings.pool_stop_seconds
        self._tell(process, {"drain": seconds})
        try:
            process.wait(seconds + 10)
        except subprocess.TimeoutExpired:
            log.warning("the pool does not end and is killed")
            process.kill()
            process.wait()

    def _order(self) -> dict[str, Any]:
        settings = self._settings
        return {
            "url": self._address,
            "token": self._fresh_token(),
            "former": self._former(),
            "plan": {
                "modules": settings.pool_modules,
                "size": settings.pool,
                "memory_mb": settings.pool_memory_mb or None,
                "timeout_seconds": settings.pool_timeout_seconds,
                "nice": settings.pool_nice,
                "jobs_each": settings.pool_jobs_each,
            },
        }

    def _fresh_token(self) -> str:
        return self._mint.issue(self._token, self._settings.worker_token_seconds)

    def _tell(self, process: subprocess.Popen[bytes], message: dict[str, Any]) -> None:
        assert process.stdin is not None
        with suppress(OSError):  # it has ended; that is seen soon
            process.stdin.write(json.dumps(message).encode() + b"\n")
            process.stdin.flush()

    def _listen(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdout is not None
        with suppress(ValueError, OSError):  # closed under our hands
            for line in process.stdout:
                self._word.write_bytes(line)
                log.info("the pool runs the built-in extensions", processes=self._settings.pool)

    def _former(self) -> str | None:
        """The worker that the pool was before, if its process is gone."""
        try:
            word = json.loads(self._word.read_text())
            former, pid = str(word["workerId"]), int(word["pid"])
        except (OSError, ValueError, KeyError, TypeError):
            return None
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return former
        except PermissionError:
            pass
        return None
