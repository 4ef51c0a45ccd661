"""Conversion of each kind of item between Python and JSON."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import index
from typing import Any, cast

import numpy as np
import orjson

from workroom.domain.errors import BadInput
from workroom.domain.rooms.items import PARTICLES, item_key
from workroom.wire.geometries import Geometry, parse_geometry, to_wire

_PLOTLY_DTYPES = frozenset({"i1", "u1", "i2", "u2", "i4", "u4", "f4", "f8"})


def text_key(key: Any) -> str:
    if not isinstance(key, str):
        raise BadInput(f"{key!r} is not a valid key: it must be text.")
    return item_key(key)


@dataclass(frozen=True)
class ItemKind:
    """A kind of items: its path in the API, and its conversions."""

    path: str
    field: str  # name of the collection in a body
    value_in: Callable[[Any], Any]
    value_out: Callable[[Any], Any]
    body_out: Callable[[Any], Any] = lambda value: value
    key_in: Callable[[str], Any] = str
    key_out: Callable[[Any], str] = text_key
    missing: Any = None  # value of a missing item; None raises KeyError
    fetched_singly: bool = False  # too large to be fetched in one response

    @property
    def target(self) -> str:
        return self.path


def indices_of(value: Any, *, negative: bool = False) -> list[int]:
    """Indices as a list of int: from an iterable of integers, or from a mask of booleans."""
    if value is None:
        return []
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):
        raise BadInput(f"{value!r} are not indices: give a list of integers.")
    found = list(cast(Iterable[Any], value))
    kind = getattr(getattr(value, "dtype", None), "kind", "")  # pyright: ignore[reportUnknownArgumentType]
    if kind == "b" or (found and all(isinstance(item, bool) for item in found)):
        return [position for position, selected in enumerate(found) if selected]
    try:
        indices = [index(item) for item in found]
    except TypeError:
        raise BadInput(f"{value!r} are not indices: give a list of integers.") from None
    if not negative and any(number < 0 for number in indices):
        raise BadInput(f"{min(indices)} is not a valid index: indices count from 0.")
    return indices


def figure_of(answer: dict[str, Any]) -> dict[str, Any]:
    """The figure in a response, as it was written."""
    return {name: answer[name] for name in ("data", "layout", "frames", "links") if name in answer}


def with_link(
    figure: dict[str, Any],
    to: str,
    indices: Sequence[int] | None = None,
    *,
    trace: int = 0,
    selection: str = PARTICLES,
    frame: int | None = None,
) -> dict[str, Any]:
    """The figure with the points of a trace linked to frames or atoms; an earlier link of the trace is replaced."""
    link: dict[str, Any] = {"trace": trace, "to": to, "selection": selection, "frame": frame}
    link["indices"] = None if indices is None else indices_of(indices)
    known: list[dict[str, Any]] = figure.get("links") or []
    return figure | {"links": [*(other for other in known if other["trace"] != trace), link]}


def _figure_in(answer: dict[str, Any]) -> Any:
    figure = {name: value for name, value in figure_of(answer).items() if name != "links"}
    try:
        import plotly.graph_objects as plotly  # pyright: ignore[reportMissingTypeStubs]
    except ImportError:  # the light client returns a dict
        return figure
    return cast(Any, plotly).Figure(_with_arrays(figure))


def _with_arrays(value: Any) -> Any:
    """Decode the arrays that Plotly writes as base64: `{dtype, bdata, shape?}`."""
    if isinstance(value, list):
        return [_with_arrays(item) for item in cast(list[Any], value)]
    if not isinstance(value, dict):
        return value
    found = cast(dict[str, Any], value)
    if "bdata" in found and found.get("dtype") in _PLOTLY_DTYPES:
        array = np.frombuffer(base64.b64decode(found["bdata"]), np.dtype(found["dtype"]).newbyteorder("<"))
        return array.reshape([int(length) for length in str(found.get("shape", array.size)).split(",")])
    return {key: _with_arrays(item) for key, item in found.items()}


def _figure_out(value: Any) -> Any:
    if isinstance(value, Mapping):
        given = dict(cast(Mapping[str, Any], value))
        unknown = sorted(set(given) - {"data", "layout", "frames", "links"})
        if unknown or "data" not in given:
            raise BadInput("A figure is a Plotly figure, or a dict with data, layout, and optionally frames and links.")
        given["data"] = [_figure_part(trace) for trace in given["data"]]
        return _plain(given | ({"layout": _figure_part(given["layout"])} if "layout" in given else {}))
    to_json = getattr(value, "to_json", None)
    if to_json is None or not hasattr(value, "to_plotly_json"):
        raise BadInput(f"{type(value).__name__} is not a figure: give a Plotly figure, or a dict in Plotly's format.")
    return figure_of(orjson.loads(to_json()))


def _figure_part(part: Any) -> Any:
    return part.to_plotly_json() if hasattr(part, "to_plotly_json") else part


def _plain(value: Any) -> Any:
    """Convert to plain JSON data; NumPy numbers and arrays are allowed."""
    try:
        return orjson.loads(orjson.dumps(value, option=orjson.OPT_SERIALIZE_NUMPY, default=_numbers))
    except TypeError as error:
        raise BadInput(f"This cannot be stored as JSON: {error}.") from None


def _numbers(value: Any) -> Any:
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} has no JSON")


def _geometry_out(value: Any) -> Any:
    if isinstance(value, Geometry):
        return to_wire(value)
    if isinstance(value, Mapping):
        given = dict(cast(Mapping[str, Any], value))
        if set(given) <= {"type", "data"} and isinstance(given.get("type"), str):
            return to_wire(parse_geometry(given["type"], _plain(given.get("data") or {})))
    raise BadInput("A geometry is one of workroom.geometries, or a dict {type, data}.")


def _group_out(value: Any) -> Any:
    if not isinstance(value, Mapping):
        raise BadInput("A selection group is a dict that maps selection names to indices.")
    return {text_key(name): indices_of(indices) for name, indices in cast(Mapping[Any, Any], value).items()}


def _frame_key(key: Any) -> str:
    return str(indices_of([key])[0])


def _label(value: Any) -> str:
    if not isinstance(value, str):
        raise BadInput(f"{value!r} is not a valid label: it must be text.")
    return value


SELECTIONS = ItemKind("selections", "selections", tuple, indices_of, lambda value: {"indices": value}, missing=())
GROUPS = ItemKind(
    "selection-groups",
    "groups",
    lambda value: {name: tuple(indices) for name, indices in value.items()},
    _group_out,
)
BOOKMARKS = ItemKind(
    "bookmarks", "bookmarks", str, _label, lambda value: {"label": value}, key_in=int, key_out=_frame_key
)
GEOMETRIES = ItemKind(
    "geometries", "geometries", lambda value: parse_geometry(value["type"], value["data"]), _geometry_out
)
FIGURES = ItemKind("figures", "figures", _figure_in, _figure_out, fetched_singly=True)
METADATA = ItemKind("metadata", "metadata", lambda value: value, _plain, lambda value: {"value": value})
