"""Extensions of the demo's worker, which offers them to the room `welcome`."""

from __future__ import annotations

import os
import time
from typing import Any

from pydantic import Field

from workroom import Category, Extension


class Double(Extension):
    """Doubles a number."""

    category = Category.ANALYSIS
    number: float = Field(21, description="The number to double.")

    def run(self, vis: Any, **kwargs: Any) -> float:
        return 2 * self.number


class Countdown(Extension):
    """Counts down and reports its progress; can be cancelled."""

    category = Category.ANALYSIS
    start: int = Field(10, ge=1, le=1000, description="The first number.")
    seconds: float = Field(0.1, ge=0, le=10, description="Duration of each step.", json_schema_extra={"unit": "s"})

    def run(self, vis: Any, **kwargs: Any) -> str:
        for step in range(self.start):
            print(f"{self.start - step} …")
            vis.progress(step / self.start, f"{self.start - step} to go")
            time.sleep(self.seconds)
        return "lift-off"


class Stumble(Extension):
    """Fails at the first try and succeeds at the second."""

    category = Category.ANALYSIS
    word: str = Field("again", description="A key: the first run with a new key fails.")

    def run(self, vis: Any, **kwargs: Any) -> str:
        if self.word not in _stumbled:
            _stumbled.add(self.word)
            raise ValueError("stumbled over a stone")
        return "walked past the stone"


class Crash(Extension):
    """Ends the worker's process without a report, like a crash in native code."""

    category = Category.ANALYSIS

    def run(self, vis: Any, **kwargs: Any) -> None:
        os._exit(1)


_stumbled: set[str] = set()
