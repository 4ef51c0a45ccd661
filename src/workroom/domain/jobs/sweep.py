"""A sweep: one job for every combination of some parameters of an extension.

    data {"fmax": 0.05, "cell": {"scale": 1.0}}   over {"fmax": [0.1, 0.05], "cell.scale": [0.9, 1.0, 1.1]}

give six sets of arguments; the last parameter changes fastest.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any, cast

from workroom.domain.errors import BadInput, TooLarge
from workroom.domain.limits import JOBS_PER_SWEEP


def arguments_of_sweep(data: Mapping[str, Any], over: Mapping[str, Sequence[Any]]) -> SweptArguments:
    """Each set of arguments. A dot in a parameter name addresses an inner object."""
    empty = next((name for name, values in over.items() if not values), None)
    if empty is not None:
        raise BadInput(f"The sweep of {empty!r} has no values: give at least one.")
    if (jobs := prod(len(values) for values in over.values())) > JOBS_PER_SWEEP:
        raise TooLarge(f"This sweep has {jobs:,} jobs; at most {JOBS_PER_SWEEP:,} are allowed.")
    return SweptArguments(data, over)


@dataclass(frozen=True, slots=True)
class SweptArguments:
    """The sets of arguments of a sweep. Each iteration makes them anew, so that they are never all in memory."""

    data: Mapping[str, Any]
    over: Mapping[str, Sequence[Any]]

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return (_with(self.data, zip(self.over, chosen, strict=True)) for chosen in product(*self.over.values()))


def _with(data: Mapping[str, Any], chosen: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """The data with chosen values. Only the objects that change are copied: the rest may be large."""
    arguments = dict(data)
    for name, value in chosen:
        *path, last = name.split(".")
        inner = arguments
        for part in path:
            child = inner.setdefault(part, {})
            if not isinstance(child, dict):
                raise BadInput(f"{name!r} addresses a field of {part!r}, which is not an object.")
            inner[part] = child = dict(cast("dict[str, Any]", child))
            inner = child
        inner[last] = value
    return arguments
