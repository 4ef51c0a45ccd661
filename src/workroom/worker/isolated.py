"""Jobs in a process of their own: what they break breaks only there, and they can be killed.

The process is a fresh interpreter that loads the extension from where its class was defined. It is told what to do on
its standard input; what it prints becomes lines of the job; how far it is and how it ended come back through a pipe.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterable
from contextlib import suppress
from typing import IO, Any

import orjson

from workroom.domain.outcomes import Failed, Outcome, Succeeded
from workroom.worker.execution import Execution
from workroom.worker.offers import Offer
from workroom.worker.outcome import stopped
from workroom.worker.source import source_of

# How long a process may take to stop by itself when asked to.
_NOTICE_SECONDS = 2.0


def perform_apart(execution: Execution, offer: Offer, url: str) -> Outcome:
    """Run one job in a new process, and wait for it."""
    words, child_end = os.pipe()
    process = subprocess.Popen(  # noqa: S603 - our own interpreter and module
        [sys.executable, "-m", "workroom.worker.apart", str(child_end)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        pass_fds=[child_end],
        start_new_session=True,  # Ctrl-C is for the worker, which then lets its jobs finish
    )
    os.close(child_end)
    assert process.stdin is not None and process.stdout is not None
    printed = threading.Thread(target=_pass_on, args=(execution, process.stdout), daemon=True)
    with process, os.fdopen(words, "rb") as told:
        printed.start()
        _write(process.stdin, _order(execution, offer, url))
        execution.when_stopped(lambda: _ask_to_stop(process))
        outcome = _listen(execution, told)
        code = process.wait()
        printed.join()
    return outcome or _ended_without_a_word(execution, code)


def _order(execution: Execution, offer: Offer, url: str) -> dict[str, Any]:
    return {
        "source": source_of(offer.extension),
        "runKwargs": dict(offer.run_kwargs),
        "url": url,
        "assignment": execution.assignment.model_dump(mode="json", by_alias=True),
    }


def _listen(execution: Execution, told: Iterable[bytes]) -> Outcome | None:
    outcome: Outcome | None = None
    for line in told:
        match orjson.loads(line):
            case {"progress": [fraction, message]}:
                execution.voice.progress(fraction, message)
            case {"result": result}:
                outcome = Succeeded(result)
            case {"error": error}:
                outcome = Failed(error)
            case {"stopped": True}:
                outcome = stopped(execution)
            case _:
                pass
    return outcome


def _pass_on(execution: Execution, printed: IO[bytes]) -> None:
    for line in printed:
        execution.voice.line(line.decode(errors="replace").rstrip("\r\n").rpartition("\r")[2])


def _ask_to_stop(process: subprocess.Popen[bytes]) -> None:
    assert process.stdin is not None
    _write(process.stdin, {"stop": True})
    timer = threading.Timer(_NOTICE_SECONDS, process.kill)
    timer.daemon = True
    timer.start()


def _write(stream: IO[bytes], message: dict[str, Any]) -> None:
    with suppress(BrokenPipeError, ValueError):  # it has ended already
        stream.write(orjson.dumps(message) + b"\n")
        stream.flush()


def _ended_without_a_word(execution: Execution, code: int) -> Outcome:
    if execution.stop is not None:
        return stopped(execution)
    how = f"was killed by signal {-code}" if code < 0 else f"ended with exit code {code}"
    return Failed({"type": "ProcessDied", "message": f"The job's process {how}. Its last lines may say why."})
