"""Calls between Workroom and existing Celery applications."""

from __future__ import annotations

from typing import Any

from workroom.domain.errors import BadInput
from workroom.domain.names import extension_name
from workroom.worker.function_registry import Function, Registry


def as_task(
    app: Any,
    function: Function[..., Any] | str,
    *,
    name: str | None = None,
    database: str | None = None,
    url: str | None = None,
    token: str | None = None,
    **options: Any,
) -> Any:
    """Add a task to a Celery application that posts a call of the function and returns its result.

    The worker of the application that runs the task waits for the posting. Celery may deliver a task twice; both then
    wait for one posting, because its key is the id of the task. `name` is `workroom.` and the name of the function by
    default. Without `database` and `url` the posting goes where `post_work` sends it. `options` are those of a task of
    Celery, e.g. `rate_limit` or `autoretry_for`. A retry of the task posts the call again.

    A task that is called as a function, or revoked, has no say over its posting: the call is posted as any other, and
    goes on after a revocation. Cancel it in Workroom.
    """
    posted = Registry[function] if isinstance(function, str) else function

    def call(task: Any, *args: Any, **kwargs: Any) -> Any:
        posting = posted.post_work([args], [kwargs], unique=_key(task), database=database, url=url, token=token)
        return next(iter(posting.results()))

    return app.task(name=name or f"workroom.{posted.name}", bind=True, **options)(call)


def _key(task: Any) -> str | None:
    """The same for each delivery of a task, and another for each retry; none when the task is called as a function."""
    request = task.request
    return None if request.id is None else f"celery {request.id} {request.retries or 0}"


def celery_task(name: str, *, tries: int = 1, timeout: float | None = None) -> Function[..., Any]:
    """A task of an existing Celery application as a function: `celery_task("proj.tasks.add").post_work([(1, 2)])`.

    A `workroom celery --import proj.tasks` runs the calls, in its own processes and not through the broker of the
    application: so they keep the rules of all calls. This process need not be able to import the task.
    """

    def call(*args: Any, **kwargs: Any) -> Any:
        module = name.rpartition(".")[0]
        raise BadInput(f"The Celery task {name} runs in `workroom celery --import {module}`: post calls of it.")

    call.__name__ = call.__qualname__ = name
    return Function(extension_name(name), call, tries, timeout)
