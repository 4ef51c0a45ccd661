"""Errors in a user's own module or file: the traceback starts in their code, not in ours."""

from __future__ import annotations

import traceback
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from workroom.domain.errors import BadInput, WorkroomError

_OURS = Path(__file__).parents[1]


@contextmanager
def reported_import_errors(names: str) -> Generator[None]:
    """Turn an error that a module raises while it is imported into one with the lines that belong to the user."""
    try:
        yield
    except WorkroomError:
        raise
    except Exception as error:
        formatted = traceback.TracebackException.from_exception(error, compact=True)
        own = [frame for frame in formatted.stack if not _is_machinery(frame.filename)]
        formatted.stack = traceback.StackSummary.from_list(own)
        raise BadInput(f"{names} cannot be loaded:\n{''.join(formatted.format()).rstrip()}") from error


def _is_machinery(file: str) -> bool:
    return file.startswith("<frozen importlib") or Path(file).is_relative_to(_OURS) or "importlib" in Path(file).parts
