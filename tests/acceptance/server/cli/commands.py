"""Commands of `workroom` in tests: their type, and what they print as JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from typer.testing import Result

Command = Callable[..., Any]


def told(result: Result) -> Any:
    return json.loads(result.stdout)
