"""Indices as people write them, as a request says them."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index as whole_number
from typing import Any, cast

import numpy as np

from workroom.domain.errors import NoSuchFrame

Index = int | slice | Sequence[int] | Sequence[bool] | np.ndarray[Any, Any]
Params = dict[str, Any]

FURTHEST = 2**31 - 1
_LONGEST_URL = 50_000


def is_one(index: object) -> bool:
    """Whether it is a single index, as of a list: a whole number of any kind."""
    return not isinstance(index, slice | np.ndarray) and hasattr(index, "__index__")


def one_of(index: Any) -> int:
    position = whole_number(index)
    if abs(position) > FURTHEST:
        raise NoSuchFrame(f"There is no frame {position}.")
    return position


def of_slice(wanted: slice) -> Params:
    """Its ends; a slice of everything begins at 0, so that nobody takes it for a forgotten one."""
    if wanted.step is not None and whole_number(wanted.step) == 0:
        raise ValueError("slice step cannot be zero")
    ends = {"start": wanted.start, "stop": wanted.stop, "step": wanted.step}
    said = {name: max(-FURTHEST, min(FURTHEST, whole_number(end))) for name, end in ends.items() if end is not None}
    return said or {"start": 0}


def is_mask(indices: Any) -> bool:
    if isinstance(indices, np.ndarray):
        return cast(Any, indices).dtype == np.bool_
    if not isinstance(indices, list | tuple):
        return False
    several = cast(Sequence[Any], indices)
    return len(several) > 0 and all(isinstance(one, bool | np.bool_) for one in several)


def from_mask(mask: Any, length: int) -> list[int]:
    if len(mask) != length:
        raise IndexError(f"The mask has {len(mask)} entries for {length} frames.")
    return [place for place, wanted in enumerate(mask) if wanted]


def from_sequence(indices: Any) -> list[int]:
    if isinstance(indices, np.ndarray):
        array = cast(Any, indices)
        if array.ndim != 1 or (array.size and array.dtype.kind not in "iu"):
            raise TypeError(f"Frames are chosen by a list of whole numbers, not by an array of {array.dtype}.")
        return [one_of(one) for one in array.tolist()]
    if isinstance(indices, str | bytes) or not isinstance(indices, Sequence):
        raise TypeError(f"Frames are chosen by whole numbers, slices or lists of them, not by {indices!r:.100}.")
    try:
        return [one_of(one) for one in cast(Sequence[Any], indices)]
    except TypeError:
        raise TypeError(f"Frames are chosen by whole numbers; {indices!r:.100} has others.") from None


def of_indices(indices: Sequence[int]) -> Params:
    """Indices, with runs of them as slices."""
    said: list[str] = []
    place = 0
    while place < len(indices):
        end = _end_of_run(indices, place)
        first, step = indices[place], indices[place + 1] - indices[place] if end - place > 1 else 1
        if end - place > 2:
            said.append(f"{first}:{indices[end - 1] + (1 if step > 0 else -1)}:{step}")
        else:
            end = place + 1
            said.append(str(first))
        place = end
    return {"indices": ",".join(said)}


def _end_of_run(indices: Sequence[int], place: int) -> int:
    """Up to where indices go on in equal steps, without crossing from one end to the other."""
    end = place + 1
    if end >= len(indices) or indices[end] == indices[place] or indices[place] < 0:
        return end
    step = indices[end] - indices[place]
    while end < len(indices) and indices[end] - indices[end - 1] == step and indices[end] >= 0:
        end += 1
    return end


def fits(params: Params) -> bool:
    """Whether a request can say it."""
    return len(str(params.get("indices", ""))) <= _LONGEST_URL


def numbers_in(params: Params) -> list[int]:
    """The indices that a request says."""
    found: list[int] = []
    for word in str(params["indices"]).split(","):
        ends = [int(number) for number in word.split(":")]
        found += range(*ends) if len(ends) > 1 else ends
    return found
