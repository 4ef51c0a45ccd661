"""Tasks of an existing Celery application as functions that postings call."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from celery import Task

from workroom.domain.names import extension_name
from workroom.worker.function_registry import Function, Registry


def register_tasks(module: ModuleType) -> None:
    """Register the Celery tasks that a module contains, under their names.

    A call runs in this process as Celery's own eager calls do. Celery tries a task once unless the task says otherwise,
    so a call is tried once too; a hard time limit of the task is the timeout of the call.
    """
    for task in vars(module).values():
        if isinstance(task, Task):
            Registry.register(_function(task))


def _function(task: Any) -> Function[..., Any]:
    def call(*args: Any, **kwargs: Any) -> Any:
        return task.apply(args=args, kwargs=kwargs, throw=True).get()

    call.__name__ = call.__qualname__ = str(task.name)
    return Function(extension_name(str(task.name)), call, 1, task.time_limit)
