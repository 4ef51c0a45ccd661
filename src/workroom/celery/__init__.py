"""Workroom and Celery: Celery as the engine of a server, and calls between Workroom and existing Celery applications.

    from workroom.celery import as_task, celery_task

app            the Celery application of Workroom: tasks, queues, JSON messages
send_messages  sends messages about jobs, for the server
existing_apps  `as_task`: functions of Workroom as tasks of an existing application; `celery_task`: the other way round

`existing_apps` is imported at the first use of its names: a server needs only the rest.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

__all__ = ["as_task", "celery_task"]  # pyright: ignore[reportUnsupportedDunderAll] - in `calls`, see `__init__.pyi`


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'workroom.celery' has no attribute {name!r}")
    return getattr(import_module("workroom.celery.existing_apps"), name)
