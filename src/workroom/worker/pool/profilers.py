"""The profilers a job can run under, and their measurements as `Costs`, `Pairs` and `Stacks`."""

from __future__ import annotations

import cProfile
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import CodeType
from typing import Any, Protocol

from workroom.domain.profiles import Cost, Costs, FunctionKey, Pairs, Stacks, add, bounded, costs_of

Measured = tuple[Costs, Pairs, Stacks | None]

_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
_DISABLE_CALL = "<method 'disable' of '_lsprof.Profiler' objects>"
_INTERVAL = 0.001
_LONGEST = 500  # characters of a file or function name


class Profiler(Protocol):
    def run(self, call: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Make the call under the profiler."""
        ...

    def result(self) -> Measured:
        """The cost of all calls so far."""
        ...


class CProfiler:
    """cProfile: every call is counted and timed. Calls add up."""

    def __init__(self) -> None:
        self._profiler = cProfile.Profile()

    def run(self, call: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        try:
            self._profiler.enable()
        except ValueError:
            return call(*args, **kwargs)  # a debugger or another profiler is active and keeps precedence
        try:
            return call(*args, **kwargs)
        finally:
            self._profiler.disable()

    def result(self) -> Measured:
        costs: Costs = {}
        pairs: Pairs = {}
        for entry in self._profiler.getstats():
            if entry.code == _DISABLE_CALL:
                continue
            key = _key(entry.code)
            add(costs, key, _cost(entry))
            for callee in entry.calls or ():
                if callee.code != _DISABLE_CALL:
                    add(pairs, (key, _key(callee.code)), _cost(callee))
        return *bounded(costs, pairs), None


class StackProfiler:
    """pyinstrument: samples the stack a thousand times a second. Calls are not counted."""

    def __init__(self) -> None:
        self._stacks: Stacks = {}

    def run(self, call: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        from pyinstrument import Profiler

        profiler = Profiler(interval=_INTERVAL, async_mode="disabled")
        profiler.start()
        try:
            return call(*args, **kwargs)
        finally:
            self._add_session(profiler.stop())

    def _add_session(self, session: Any) -> None:
        for frames, seconds in session.frame_records:
            stack = _job_frames(frames)
            if stack:
                self._stacks[stack] = self._stacks.get(stack, 0.0) + seconds * 1000

    def result(self) -> Measured:
        return *bounded(*costs_of(self._stacks)), self._stacks


def _cost(entry: Any) -> Cost:
    return Cost(entry.callcount, entry.callcount - entry.reccallcount, entry.inlinetime * 1000, entry.totaltime * 1000)


def _key(code: CodeType | str) -> FunctionKey:
    if isinstance(code, str):  # implemented in C; the address would make each object a function of its own
        return FunctionKey("~", 0, _ADDRESS.sub("", code)[:_LONGEST])
    return FunctionKey(_relative_path(code.co_filename), code.co_firstlineno, code.co_qualname[:_LONGEST])


def _job_frames(frames: list[str]) -> tuple[FunctionKey, ...]:
    """The frames of the job's own code: those below the profiler's call."""
    stack: list[FunctionKey] = []
    inside = False
    for frame in frames:
        name, file, line = frame.partition("\x01")[0].split("\x00")
        if inside and not file.startswith("<built-in"):
            stack.append(FunctionKey(_relative_path(file), int(line or 0), name[:_LONGEST]))
        inside = inside or (file == __file__ and name.endswith("run"))
    return tuple(stack)


_relative_paths: dict[str, str] = {}


def _relative_path(file: str) -> str:
    """The path below the entry of `sys.path` it was imported from: the same on every machine."""
    if (known := _relative_paths.get(file)) is not None:
        return known
    place = file
    if Path(file).is_absolute():
        folders = [os.path.realpath(entry) if entry else str(Path.cwd()) for entry in sys.path] + sys.path
        parents = [folder for folder in folders if folder and file.startswith(folder.rstrip(os.sep) + os.sep)]
        if parents:
            place = file[len(max(parents, key=len).rstrip(os.sep)) + 1 :]
    _relative_paths[file] = place = place[-_LONGEST:]
    return place
