"""A Celery application as people have one, with tasks of its own and one that calls a function of Workroom."""

from __future__ import annotations

import os
from typing import Any

from celery import Celery
from tests.acceptance import pool_functions

from workroom.celery import as_task

app: Any = Celery("existing", broker="memory://", set_as_current=False)
app.conf.task_always_eager = True  # tasks run where they are called; a worker of its own would do the same


@app.task(name="existing.add")
def add(first: int, second: int) -> int:
    return first + second


@app.task(name="existing.who", bind=True)
def who(task: Any) -> tuple[str, int]:
    return task.name, os.getpid()


@app.task(name="existing.fails")
def fails() -> None:
    raise ValueError("the task has failed")


note = as_task(app, pool_functions.note)
picky = as_task(app, "picky", name="existing.picky")
