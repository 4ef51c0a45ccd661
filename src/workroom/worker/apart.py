"""The inside of a job's own process: `python -m workroom.worker.apart FD`."""

from __future__ import annotations

import logging
import os
import sys
import threading
from typing import IO, Any

import orjson

from workroom.client.access import Access, http_client
from workroom.client.portal import background
from workroom.domain.outcomes import Cancelled, Failed, Outcome, Succeeded
from workroom.worker import bars
from workroom.worker.assignment import Assignment
from workroom.worker.execution import Execution, Stop
from workroom.worker.job_room import JobRoom, JobTokens
from workroom.worker.offers import Offer
from workroom.worker.outcome import failure
from workroom.worker.pipeline import Task, perform_here
from workroom.worker.source import load_class


class _Voice:
    """Progress goes to the worker; lines are printed, and the worker reads them."""

    def __init__(self, words: IO[bytes]) -> None:
        self._words = words

    def progress(self, fraction: float | None, message: str = "") -> None:
        say(self._words, {"progress": [fraction, message]})

    def line(self, text: str) -> None:
        pass


def main() -> None:
    with os.fdopen(int(sys.argv[1]), "wb") as words:
        order: dict[str, Any] = orjson.loads(sys.stdin.buffer.readline())
        logging.basicConfig(level=logging.INFO, stream=sys.stdout, format="%(levelname)s %(name)s: %(message)s")
        logging.getLogger("httpx2").setLevel(logging.WARNING)
        bars.patch()
        voice: Any = _Voice(words)
        execution = Execution(Assignment.model_validate(order["assignment"]), voice)
        threading.Thread(target=_obey, args=(execution,), daemon=True).start()
        say(words, _as_message(_performed(execution, order)))
        sys.stdout.flush()


def _performed(execution: Execution, order: dict[str, Any]) -> Outcome:
    try:
        offer = Offer(load_class(order["source"]), run_kwargs=order["runKwargs"])
        task = Task(offer, offer.extension.model_validate(execution.assignment.data))
    except Exception as error:
        return failure(error)
    portal = background()
    url = execution.url = order["url"]
    http = http_client(url)
    try:
        access = Access(url, http, JobTokens(execution.assignment.job_token))
        return perform_here(execution, task, JobRoom(portal, access, execution))
    finally:
        portal.call(http.aclose())


def _obey(execution: Execution) -> None:
    """Stop when told to; end at once when the worker is gone."""
    for _ in sys.stdin.buffer:
        execution.ask_to_stop(Stop.CANCEL)
    os._exit(1)


def _as_message(outcome: Outcome) -> dict[str, Any]:
    match outcome:
        case Succeeded(result):
            return {"result": result}
        case Failed(error):
            return {"error": error}
        case Cancelled():
            return {"stopped": True}
        case _:
            raise AssertionError(outcome)


def say(words: IO[bytes], message: dict[str, Any]) -> None:
    words.write(orjson.dumps(message) + b"\n")
    words.flush()


if __name__ == "__main__":
    main()
