"""How the items of a room are written in Python and on the wire."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from operator import index
from typing import Any, cast

import numpy as np
import orjson

from workroom.domain.errors import BadInput
from workroom.domain.rooms.items import item_key
from workroom.wire.geometries import Geometry, parse_geometry, to_wire

_PLOTLY_DTYPES = frozenset({"i1", "u1", "i2", "u2", "i4", "u4", "f4", "f8"})


def text_key(key: Any) -> str:
    if not isinstance(key, str):
        raise BadInput(f"{key!r} is no key: it must be text.")
    return item_key(key)


@dataclass(frozen=True)
class ItemKind:
    """A sort of items: where they are, and how they are translated."""

    path: str
    field: str  # what the whole collection is called in a body
    value_in: Callable[[Any], Any]
    value_out: Callable[[Any], Any]
    body_out: Callable[[Any], Any] = lambda value: value
    key_in: Callable[[str], Any] = str
    key_out: Callable[[Any], str] = text_key
    missing: Any = None  # what stands for an item that is not there; none: a KeyError does
    one_by_one: bool = False  # too large to be fetched all together

    @property
    def target(self) -> str:
        return self.path


def indices_of(value: Any, *, negative: bool = False) -> list[int]:
    """Indices as plain integers: from anything that has some, or from a mask of booleans."""
    if value is None:
        return []
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):
        raise BadInput(f"{value!r} are no indices: give a list of integers.")
    found = list(cast(Iterable[Any], value))
    kind = getattr(getattr(value, "dtype", None), "kind", "")  # pyright: ignore[reportUnknownArgumentType]
    if kind == "b" or (found and all(isinstance(one, bool) for one in found)):
        return [place for place, chosen in enumerate(found) if chosen]
    try:
        indices = [index(one) for one in found]
    except TypeError:
        raise BadInput(f"{value!r} are no indices: give a list of integers.") from None
    if not negative and any(one < 0 for one in indices):
        raise BadInput(f"{min(indices)} is no index here: they count from 0.")
    return indices


def figure_of(answer: dict[str, Any]) -> dict[str, Any]:
    """A figure as it was put."""
    return {name: answer[name] for name in ("data", "layout", "frames", "links") if name in answer}


def _figure_in(answer: dict[str, Any]) -> Any:
    figure = {name: value for name, value in figure_of(answer).items() if name != "links"}
    try:
        import plotly.graph_objects as plotly  # pyright: ignore[reportMissingTypeStubs]
    except ImportError:  # the light client shows what there is
        return figure
    return cast(Any, plotly).Figure(_with_arrays(figure))


def _with_arrays(value: Any) -> Any:
    """The same with arrays where Plotly has written them as text: `{dtype, bdata, shape?}`."""
    if isinstance(value, list):
        return [_with_arrays(one) for one in cast(list[Any], value)]
    if not isinstance(value, dict):
        return value
    found = cast(dict[str, Any], value)
    if "bdata" in found and found.get("dtype") in _PLOTLY_DTYPES:
        array = np.frombuffer(base64.b64decode(found["bdata"]), np.dtype(found["dtype"]).newbyteorder("<"))
        return array.reshape([int(length) for length in str(found.get("shape", array.size)).split(",")])
    return {key: _with_arrays(one) for key, one in found.items()}


def _figure_out(value: Any) -> Any:
    if isinstance(value, Mapping):
        given = dict(cast(Mapping[str, Any], value))
        unknown = sorted(set(given) - {"data", "layout", "frames", "links"})
        if unknown or "data" not in given:
            raise BadInput("A figure is a Plotly figure, or a dict with data, layout, and maybe frames and links.")
        given["data"] = [_figure_part(trace) for trace in given["data"]]
        return _plain(given | ({"layout": _figure_part(given["layout"])} if "layout" in given else {}))
    to_json = getattr(value, "to_json", None)
    if to_json is None or not hasattr(value, "to_plotly_json"):
        raise BadInput(f"{type(value).__name__} is no figure: give a Plotly figure, or a dict as Plotly writes it.")
    return figure_of(orjson.loads(to_json()))


def _figure_part(part: Any) -> Any:
    return part.to_plotly_json() if hasattr(part, "to_plotly_json") else part


def _plain(value: Any) -> Any:
    """JSON data, also of what has numpy's numbers in it."""
    try:
        return orjson.loads(orjson.dumps(value, option=orjson.OPT_SERIALIZE_NUMPY, default=_numbers))
    except TypeError as error:
        raise BadInput(f"This cannot be kept as JSON: {error}.") from None


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
        raise BadInput("A selection group is a dict: for each selection its indices.")
    return {text_key(name): indices_of(some) for name, some in cast(Mapping[Any, Any], value).items()}


def _place(key: Any) -> str:
    place = indices_of([key])[0]
    return str(place)


def _label(value: Any) -> str:
    if not isinstance(value, str):
        raise BadInput(f"{value!r} is no label: it must be text.")
    return value


SELECTIONS = ItemKind("selections", "selections", tuple, indices_of, lambda value: {"indices": value}, missing=())
GROUPS = ItemKind(
    "selection-groups",
    "groups",
    lambda value: {name: tuple(some) for name, some in value.items()},
    _group_out,
)
BOOKMARKS = ItemKind("bookmarks", "bookmarks", str, _label, lambda value: {"label": value}, key_in=int, key_out=_place)
GEOMETRIES = ItemKind(
    "geometries", "geometries", lambda value: parse_geometry(value["type"], value["data"]), _geometry_out
)
FIGURES = ItemKind("figures", "figures", _figure_in, _figure_out, one_by_one=True)
METADATA = ItemKind("metadata", "metadata", lambda value: value, _plain, lambda value: {"value": value})
