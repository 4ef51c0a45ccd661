"""Python indices, slices and masks as request parameters."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index as whole_number
from typing import Any, cast

import numpy as np

from workroom.domain.errors import NoSuchFrame

SingleIndex = int | np.integer[Any]
ManyIndices = slice | Sequence[int] | Sequence[bool] | np.ndarray[Any, Any]
Index = SingleIndex | ManyIndices
Params = dict[str, Any]

MAX_INDEX = 2**31 - 1
_MAX_URL_LENGTH = 50_000


def is_single(index: object) -> bool:
    """Whether it is a single index: an integer of any type, also as an array without dimensions."""
    if isinstance(index, np.ndarray):
        return cast(Any, index).ndim == 0 and cast(Any, index).dtype.kind in "iu"
    return not isinstance(index, slice) and hasattr(index, "__index__")


def checked_index(index: Any) -> int:
    position = whole_number(index)
    if abs(position) > MAX_INDEX:
        raise NoSuchFrame(f"There is no frame {position}.")
    return position


def slice_params(frames: slice) -> Params:
    """The parameters of a slice. `[:]` becomes start=0, because the server rejects a request without a selection."""
    if frames.step is not None and whole_number(frames.step) == 0:
        raise ValueError("slice step cannot be zero")
    ends = {"start": frames.start, "stop": frames.stop, "step": frames.step}
    given = {name: max(-MAX_INDEX, min(MAX_INDEX, whole_number(end))) for name, end in ends.items() if end is not None}
    return given or {"start": 0}


def is_mask(indices: Any) -> bool:
    if isinstance(indices, np.ndarray):
        return cast(Any, indices).dtype == np.bool_
    if not isinstance(indices, list | tuple):
        return False
    values = cast(Sequence[Any], indices)
    return len(values) > 0 and all(isinstance(value, bool | np.bool_) for value in values)


def from_mask(mask: Any, length: int) -> list[int]:
    if len(mask) != length:
        raise IndexError(f"The mask has {len(mask)} entries for {length} frames.")
    return [index for index, selected in enumerate(mask) if selected]


def from_sequence(indices: Any) -> list[int]:
    if isinstance(indices, np.ndarray):
        array = cast(Any, indices)
        if array.ndim != 1 or (array.size and array.dtype.kind not in "iu"):
            raise TypeError(f"Frames are selected by integers, not by an array of {array.dtype}.")
        return [checked_index(index) for index in array.tolist()]
    if isinstance(indices, str | bytes) or not isinstance(indices, Sequence):
        raise TypeError(f"Frames are selected by an integer, a slice or a list of integers, not by {indices!r:.100}.")
    try:
        return [checked_index(index) for index in cast(Sequence[Any], indices)]
    except TypeError:
        raise TypeError(f"Frames are selected by integers; {indices!r:.100} has other values.") from None


def index_params(indices: Sequence[int]) -> Params:
    """The parameters of indices; runs of equal steps are written as slices."""
    parts: list[str] = []
    start = 0
    while start < len(indices):
        end = _end_of_run(indices, start)
        first, step = indices[start], indices[start + 1] - indices[start] if end - start > 1 else 1
        if end - start > 2:
            parts.append(f"{first}:{indices[end - 1] + (1 if step > 0 else -1)}:{step}")
        else:
            end = start + 1
            parts.append(str(first))
        start = end
    return {"indices": ",".join(parts)}


def _end_of_run(indices: Sequence[int], start: int) -> int:
    """The end of the run of equal steps from `start`. A run does not mix negative and other indices."""
    end = start + 1
    if end >= len(indices) or indices[end] == indices[start] or indices[start] < 0:
        return end
    step = indices[end] - indices[start]
    while end < len(indices) and indices[end] - indices[end - 1] == step and indices[end] >= 0:
        end += 1
    return end


def fits_in_url(params: Params) -> bool:
    """Whether the parameters fit in a URL."""
    return len(str(params.get("indices", ""))) <= _MAX_URL_LENGTH


def indices_in(params: Params) -> list[int]:
    """The indices of request parameters, with slices expanded."""
    found: list[int] = []
    for part in str(params["indices"]).split(","):
        ends = [int(number) for number in part.split(":")]
        found += range(*ends) if len(ends) > 1 else ends
    return found
