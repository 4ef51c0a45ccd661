"""A Celery application on a Redis, EXISTING_BROKER, whose worker is a process of its own."""

from __future__ import annotations

import os
from typing import Any

from celery import Celery
from tests.acceptance import pool_functions

from workroom import JobFailed
from workroom.celery import as_task

_URL = os.environ["EXISTING_BROKER"]

app: Any = Celery("on_redis", broker=_URL, backend=_URL, set_as_current=False)
app.conf.task_routes = {"workroom.*": {"queue": "people"}}

note = as_task(app, pool_functions.note)
when_told = as_task(
    app,
    pool_functions.when_told,
    autoretry_for=(JobFailed,),
    retry_kwargs={"countdown": 0.5, "max_retries": 20},
)
