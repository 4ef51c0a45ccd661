"""Functions of the browser tests' postings. What `measure` costs depends on its version."""

from __future__ import annotations

import os
import time
from typing import Any

import numpy as np

from workroom import job


def parse(text: str) -> list[float]:
    return [float(part) for part in text.split(",")]


def smooth(values: list[float]) -> list[float]:
    rounds = 1 if os.environ.get("WORKROOM_CODE_VERSION") == "2.0" else 6
    for _ in range(rounds):
        values = [(a + b) / 2 for a, b in zip(values, [*values[1:], values[0]], strict=True)]
    return values


def spread(values: list[float]) -> float:
    mean = sum(values) / len(values)
    return max(abs(value - mean) for value in values)


@job(name="ponder", profile=0.0)
def ponder(number: int) -> int:
    time.sleep(0.1)
    return number


@job(name="measure", tries=1, profile=1.0)
def measure(number: int) -> dict[str, float]:
    if number % 40 == 13:
        raise ValueError(f"sample {number} is empty")
    values = parse(",".join(str((number * step) % 17) for step in range(1, 300)))
    return {"spread": spread(smooth(values)), "number": number}


@job(name="average", profile=0.0)
def average(number: int) -> dict[str, Any]:
    values = np.arange(number, number + 4) / 8
    return {"mean": values.mean(), "ends": (values.min(), values.max()), "values": values}
