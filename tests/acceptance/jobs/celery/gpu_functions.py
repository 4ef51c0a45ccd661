"""A function that needs a resource."""

from __future__ import annotations

from workroom import job


@job(name="on_gpu", resources={"gpus": 1})
def on_gpu(number: int) -> int:
    return number
