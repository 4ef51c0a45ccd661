"""`workroom …` that records which of its modules run: SIGUSR1 starts a recording, SIGUSR2 writes it to TRACE_FILE.

The record holds every source file in which a function ran, and every call from `server/` into `actions/`.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path
from types import FrameType

import workroom
from workroom.cli import main

SOURCE = f"{Path(workroom.__file__).parent}{os.sep}"
files: set[str] = set()
action_calls: list[list[str]] = []


def module_of(frame: FrameType) -> str | None:
    name = frame.f_code.co_filename
    return name.removeprefix(SOURCE) if name.startswith(SOURCE) else None


def caller_of(frame: FrameType) -> str | None:
    """The module of the nearest of our own functions further up the stack."""
    back = frame.f_back
    while back is not None and module_of(back) is None:
        back = back.f_back
    return None if back is None else module_of(back)


def record(frame: FrameType, event: str, _: object) -> None:
    module = module_of(frame) if event == "call" else None
    if module is None:
        return
    files.add(module)
    if module.startswith("actions/") and (caller_of(frame) or "").startswith("server/"):
        action_calls.append([module, frame.f_code.co_name])


def start(*_: object) -> None:
    files.clear()
    action_calls.clear()
    sys.setprofile(record)


def finish(*_: object) -> None:
    sys.setprofile(None)
    target = Path(os.environ["TRACE_FILE"])
    partial = target.with_suffix(".partial")
    partial.write_text(json.dumps({"files": sorted(files), "action_calls": action_calls}))
    partial.rename(target)


if __name__ == "__main__":
    signal.signal(signal.SIGUSR1, start)
    signal.signal(signal.SIGUSR2, finish)
    main()
