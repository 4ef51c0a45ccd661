"""The function of the demo's posting. `workroom pool` imports this module."""

from __future__ import annotations

from workroom import job

FAIL_EVERY = 1000  # one call of this number fails


@job(name="demo_square", tries=1)
def square(number: int) -> int:
    if number % FAIL_EVERY == FAIL_EVERY - 1:
        raise ValueError(f"{number} cannot be squared (a failure of the demo)")
    return number * number
