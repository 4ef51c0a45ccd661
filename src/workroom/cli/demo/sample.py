"""Extensions of the demo's worker: `workroom worker` offers them to the room `welcome`."""

from __future__ import annotations

import os
import time
from typing import Any

from pydantic import Field

from workroom import Category, Extension


class Double(Extension):
    """Doubles a number, at once."""

    category = Category.ANALYSIS
    number: float = Field(21, description="What to double.")

    def run(self, vis: Any, **kwargs: Any) -> float:
        return 2 * self.number


class Countdown(Extension):
    """Counts down, telling how far it is; can be cancelled."""

    category = Category.ANALYSIS
    start: int = Field(10, ge=1, le=1000, description="Where to begin.")
    seconds: float = Field(0.1, ge=0, le=10, description="How long each step takes.", json_schema_extra={"unit": "s"})

    def run(self, vis: Any, **kwargs: Any) -> str:
        for step in range(self.start):
            print(f"{self.start - step} …")
            vis.progress(step / self.start, f"{self.start - step} to go")
            time.sleep(self.seconds)
        return "lift-off"


class Stumble(Extension):
    """Fails; with a second try it succeeds, having learnt from the first."""

    category = Category.ANALYSIS
    word: str = Field("again", description="What the first failure leaves behind.")

    def run(self, vis: Any, **kwargs: Any) -> str:
        if self.word not in _stumbled:
            _stumbled.add(self.word)
            raise ValueError("stumbled over a stone")
        return "walked past the stone"


class Crash(Extension):
    """Takes its whole worker down with it, as a driver that crashes would."""

    category = Category.ANALYSIS

    def run(self, vis: Any, **kwargs: Any) -> None:
        os._exit(1)


_stumbled: set[str] = set()
