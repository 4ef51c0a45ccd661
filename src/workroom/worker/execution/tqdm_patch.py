"""Makes `tqdm` bars inside a job report the job's progress."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

from workroom.logs import get_logger
from workroom.worker.execution.execution_state import CURRENT

log = get_logger(__name__)

_patched = False


def patch() -> None:
    """Let tqdm bars report to the job that runs in their thread. Outside of jobs they are drawn as usual."""
    global _patched  # noqa: PLW0603 - tqdm is patched once for each process
    if _patched or find_spec("tqdm") is None:
        return
    _patched = True
    from tqdm.std import tqdm  # pyright: ignore[reportMissingModuleSource, reportMissingImports, reportUnknownVariableType]

    bar: Any = tqdm
    if not (callable(getattr(bar, "refresh", None)) and callable(getattr(bar, "display", None))):
        log.warning("tqdm bars do not report the progress of jobs: this tqdm is not supported")
        return
    refresh, display = bar.refresh, bar.display

    def refreshed(self: Any, *args: Any, **kwargs: Any) -> Any:
        execution = CURRENT.get()
        if execution is None:
            return refresh(self, *args, **kwargs)
        # Not in `display`: tqdm holds its lock there, and this may raise JobCancelled.
        execution.progress(*_state(self))
        return True

    def displayed(self: Any, *args: Any, **kwargs: Any) -> Any:
        execution = CURRENT.get()
        if execution is None:
            return display(self, *args, **kwargs)
        execution.reporter.progress(*_state(self))
        return True

    bar.refresh, bar.display = refreshed, displayed


def _state(bar: Any) -> tuple[float | None, str]:
    description = str(bar.desc or "").removesuffix(": ")
    if bar.total:
        return min(1.0, bar.n / bar.total), description or f"{bar.n}/{bar.total}"
    return None, description or f"{bar.n}"
