"""What a function's code is called, so that profiles before and after a change can be told apart."""

from __future__ import annotations

import hashlib
import inspect
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from workroom.worker.registry import Function

VARIABLE = "WORKROOM_CODE_VERSION"
LONGEST = 100


def code_version(function: Function[..., Any]) -> str:
    """The version it was registered with, or the one of the whole installation, or a hash of the file it is in."""
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
