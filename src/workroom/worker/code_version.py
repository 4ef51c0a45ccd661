"""The version of a function's code, which separates profiles from before and after a change."""

from __future__ import annotations

import hashlib
import inspect
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from workroom.worker.function_registry import Function

VARIABLE = "WORKROOM_CODE_VERSION"
LONGEST = 100


def code_version(function: Function[..., Any]) -> str:
    """The version given to `@job`, else WORKROOM_CODE_VERSION, else a hash of its source file."""
    if function.version is not None:
        return function.version
    if given := os.environ.get(VARIABLE):
        return given[:LONGEST]
    code = getattr(inspect.unwrap(function.call), "__code__", None)
    if code is None:
        return ""
    try:
        content = Path(code.co_filename).read_bytes()
    except OSError:
        content = code.co_code
    return hashlib.sha256(content).hexdigest()[:12]
