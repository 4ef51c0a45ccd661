"""Profilers that watch calls, and what they have seen in our own words."""

from __future__ import annotations

import cProfile
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import CodeType
from typing import Any, Protocol

from workroom.domain.profiles import Cost, Costs, FunctionKey, Pairs, add, bounded, costs_of
from workroom.domain.profiles import Stacks as StacksSeen

Measured = tuple[Costs, Pairs, StacksSeen | None]

_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
_DISABLE_CALL = "<method 'disable' of '_lsprof.Profiler' objects>"
_INTERVAL = 0.001
_LONGEST = 500  # characters of a file's or function's name


class Profiler(Protocol):
    def run(self, call: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Make the call, and watch it."""
        ...

    def result(self) -> Measured:
        """What all the calls so far cost."""
        ...


class CProfiler:
    """cProfile: every call is counted and timed. Calls add up."""

    def __init__(self) -> None:
        self._profiler = cProfile.Profile()

    def run(self, call: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        try:
            self._profiler.enable()
        except ValueError:
            return call(*args, **kwargs)  # a debugger or another profiler is at work: it comes first
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
    """pyinstrument: a thousand times a second, where it is and how it came there. Nothing is counted."""

    def __init__(self) -> None:
        self._stacks: StacksSeen = {}

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
    if isinstance(code, str):  # written in C; an object's address would make a new function of it each time
        return FunctionKey("~", 0, _ADDRESS.sub("", code)[:_LONGEST])
    return FunctionKey(_relative_path(code.co_filename), code.co_firstlineno, code.co_qualname[:_LONGEST])


def _job_frames(frames: list[str]) -> tuple[FunctionKey, ...]:
    """The frames within the job: below the one that made its call."""
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
    """The file from the folder that it is imported from: the same on every machine."""
    if (known := _relative_paths.get(file)) is not None:
        return known
    place = file
    if Path(file).is_absolute():
        folders = [os.path.realpath(one) if one else str(Path.cwd()) for one in sys.path] + sys.path
        above = [one for one in folders if one and file.startswith(one.rstrip(os.sep) + os.sep)]
        if above:
            place = file[len(max(above, key=len).rstrip(os.sep)) + 1 :]
    _relative_paths[file] = place = place[-_LONGEST:]
    return place
