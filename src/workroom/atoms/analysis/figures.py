"""Plotly figures with linked points: a click on a point shows its frame, or selects its atom."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

Line = Sequence[float | None]


@dataclass(frozen=True, slots=True)
class Link:
    """The link of a trace's points to frames or atoms."""

    trace: int
    to: Literal["frames", "atoms"]
    indices: Sequence[int]  # of the frame or atom, for each point
    frame: int | None = None  # the one the atoms are of


@dataclass(frozen=True, slots=True)
class Drawing:
    """A Plotly figure, with its links."""

    name: str
    data: list[dict[str, Any]]
    layout: dict[str, Any]
    links: list[Link] = field(default_factory=list[Link])

    def as_json(self) -> dict[str, Any]:
        """The figure in the form that a room stores."""
        return {"data": self.data, "layout": self.layout, "links": [_link(one) for one in self.links]}

    def put(self, vis: Any) -> str:
        """Store the figure in the room; returns its name."""
        key = self.name.replace("/", "-")[:200]
        vis.figures[key] = self.as_json()
        return key


def _link(link: Link) -> dict[str, Any]:
    fields = {"trace": link.trace, "to": link.to, "indices": list(link.indices)}
    return fields if link.frame is None else fields | {"frame": link.frame}


def lines(
    name: str,
    x: Sequence[float],
    series: Mapping[str, Line],
    *,
    x_title: str,
    y_title: str,
    frames: Sequence[int] | None = None,
) -> Drawing:
    """Lines over a common x; with `frames`, point by point the frame it belongs to."""
    data = [
        {"type": "scatter", "mode": "lines+markers", "name": label, "x": plain(x), "y": plain(y)}
        for label, y in series.items()
    ]
    layout = {
        "title": {"text": name},
        "xaxis": {"title": {"text": x_title}},
        "yaxis": {"title": {"text": y_title}},
        "showlegend": len(data) > 1,
    }
    links = [] if frames is None else [Link(trace, "frames", frames) for trace in range(len(data))]
    return Drawing(name, data, layout, links)


def plain(values: Iterable[float | None]) -> list[float | None]:
    """Numbers as JSON, which has no NaN: missing values become null and leave a gap."""
    return [None if value is None or not math.isfinite(value) else float(value) for value in values]


def spread(values: Iterable[float | None]) -> dict[str, float]:
    """Minimum, mean and maximum of the measured values; empty if there are none."""
    known = [value for value in plain(values) if value is not None]
    return {"min": min(known), "mean": sum(known) / len(known), "max": max(known)} if known else {}
