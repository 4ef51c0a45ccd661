"""A pool process of the demo: fetches function jobs straight from the database until nothing is left for a while."""

from __future__ import annotations

import asyncio
import sys

from workroom.actions.assign import claim
from workroom.actions.engine import Engine
from workroom.actions.register import WorkerSpec, function, leave, register_worker
from workroom.actions.report import report
from workroom.domain.outcomes import Failed, Outcome, Report, Succeeded
from workroom.store.database import Database

FUNCTION = "demo_square"
_BATCH = 200
_PATIENCE = 20  # empty-handed looks before it leaves


def square(number: int) -> int:
    if number % 1000 == 999:
        raise ValueError(f"{number} does not like to be squared")
    return number * number


async def work(url: str) -> int:
    done = 0
    async with Database(url, connections=2) as database:
        engine = Engine(database)
        me = await register_worker(engine, WorkerSpec("pool", [function(FUNCTION, tries=1)], capacity=_BATCH))
        idle = 0
        while idle < _PATIENCE:
            jobs = await claim(engine, me.worker_id, _BATCH)
            idle = 0 if jobs else idle + 1
            if not jobs:
                await asyncio.sleep(0.1)
                continue
            refused = await report(
                engine, me.worker_id, [Report(job.id, job.attempt, _run(job.arguments), 0.1, 0.1) for job in jobs]
            )
            done += len(jobs) - len(refused)
        await leave(engine, me.worker_id)
    return done


def _run(arguments: dict[str, list[int]]) -> Outcome:
    try:
        return Succeeded(square(*arguments["args"]))
    except ValueError as error:
        return Failed({"type": "ValueError", "message": str(error), "traceback": ""})


if __name__ == "__main__":
    print(asyncio.run(work(sys.argv[1])), flush=True)
