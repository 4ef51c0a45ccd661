"""Functions that a remote worker offers in tests; nothing here knows of a database."""

from __future__ import annotations

import time
from typing import Any

from tests import value_corpus

from workroom import Registry, job

_ = value_corpus  # the classes of values are restored only if they are loaded


@job(name="far_echo")
def far_echo(*args: Any, **kwargs: Any) -> Any:
    return args, kwargs


@job(name="far_half", tries=1)
def far_half(number: int) -> float:
    print(f"the half of {number}")
    if number % 2:
        raise ValueError(f"{number} is odd")
    return number / 2


@job(name="far_unkept", keep_result=False)
def far_unkept() -> object:
    return object()  # could not be stored


@job(name="far_nap", tries=1)
def far_nap(seconds: float, number: int) -> int:
    time.sleep(seconds)
    return number


@job(name="far_slow", tries=1, timeout=0.5)
def far_slow(seconds: float) -> float:
    time.sleep(seconds)
    return seconds


@job(name="far_parent", tries=1)
def far_parent(children: int) -> str:
    posting = Registry["far_half"].post_work([(2 * n,) for n in range(children)], label="from inside")
    return str(posting.id)


@job(name="far_whole", tries=1)
def far_whole(children: int) -> list[float]:
    """Waits for what it has posted: another slot runs it."""
    return list(Registry["far_half"].post_work([(2 * n,) for n in range(children)]).results())


@job(name="far_and_near")
def far_and_near(number: int) -> int:
    time.sleep(0.005)
    return number
