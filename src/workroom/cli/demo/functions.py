"""The function that the demo's posting calls: `workroom pool` imports it."""

from __future__ import annotations

from workroom import job

EVERY = 1000  # one call in so many fails


@job(name="demo_square", tries=1)
def square(number: int) -> int:
    if number % EVERY == EVERY - 1:
        raise ValueError(f"{number} does not like to be squared")
    return number * number
