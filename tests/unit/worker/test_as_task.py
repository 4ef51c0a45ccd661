"""The key of the posting that a task of an existing Celery application makes."""

from __future__ import annotations

from typing import Any, cast

import pytest
from celery import Celery

from workroom import JobFailed
from workroom.celery import as_task
from workroom.worker.function_registry import Function


class _Posting:
    def __init__(self, *results: Any) -> None:
        self._results = results

    def results(self) -> list[Any]:
        if not self._results:
            raise JobFailed("not yet")
        return [*self._results]


class _Function:
    """Fails so often, and keeps the keys."""

    name = "resize"

    def __init__(self, failures: int = 0) -> None:
        self.keys: list[str | None] = []
        self._failures = failures

    def post_work(self, args: Any, kwargs: Any, *, unique: str | None, **_: Any) -> _Posting:
        self.keys.append(unique)
        return _Posting() if len(self.keys) <= self._failures else _Posting("resized")


@pytest.fixture
def app() -> Any:
    return Celery("people", broker="memory://", set_as_current=False)


def _task(app: Any, function: _Function, **options: Any) -> Any:
    return as_task(app, cast("Function[..., Any]", function), **options)


def test_deliveries_of_a_task_share_a_key_and_calls_of_it_as_a_function_have_none(app: Any) -> None:
    function = _Function()
    task = _task(app, function)
    for _ in range(2):
        assert task.apply(args=(1,), task_id="abc").get() == "resized"
    assert task(1) == task(2) == "resized"
    assert function.keys == ["celery abc 0", "celery abc 0", None, None]


def test_a_retry_posts_the_call_again(app: Any) -> None:
    function = _Function(failures=2)
    task = _task(app, function, autoretry_for=(JobFailed,), retry_kwargs={"countdown": 0, "max_retries": 5})
    assert task.apply(args=(1,), task_id="abc").get() == "resized"
    assert function.keys == ["celery abc 0", "celery abc 1", "celery abc 2"]
