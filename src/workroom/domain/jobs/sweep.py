"""A sweep: one job for every combination of some parameters of an extension.

    data {"fmax": 0.05, "cell": {"scale": 1.0}}   over {"fmax": [0.1, 0.05], "cell.scale": [0.9, 1.0, 1.1]}

give six sets of arguments; the last parameter changes fastest.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from math import prod
from typing import Any, cast

from workroom.domain.errors import BadInput, TooLarge
from workroom.domain.limits import JOBS_PER_SWEEP


def arguments_of_sweep(data: Mapping[str, Any], over: Mapping[str, Sequence[Any]]) -> Iterator[dict[str, Any]]:
    """Yield each set of arguments. A dot in a parameter name addresses an inner object."""
    empty = next((name for name, values in over.items() if not values), None)
    if empty is not None:
        raise BadInput(f"The sweep of {empty!r} has no values: give at least one.")
    if (jobs := prod(len(values) for values in over.values())) > JOBS_PER_SWEEP:
        raise TooLarge(f"This sweep has {jobs:,} jobs; at most {JOBS_PER_SWEEP:,} are allowed.")
    return (_with(data, zip(over, chosen, strict=True)) for chosen in product(*over.values()))


def _with(data: Mapping[str, Any], chosen: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    arguments = copy.deepcopy(dict(data))
    for name, value in chosen:
        *path, last = name.split(".")
        inner = arguments
        for part in path:
            child = inner.setdefault(part, {})
            if not isinstance(child, dict):
                raise BadInput(f"{name!r} addresses a field of {part!r}, which is not an object.")
            inner = cast("dict[str, Any]", child)
        inner[last] = value
    return arguments
