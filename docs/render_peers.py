"""The race against other queues, from `bench/peers.json`: the page and its chart.

Figures of a busy machine are refused.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from bench.peer_race.machine import busy

RESULTS = Path(__file__).parents[1] / "bench/peers.json"
_SERVERS = {"redis": "Redis", "postgresql": "PostgreSQL", "dask": "its scheduler"}
_OURS = "workroom"


class BusyMachineError(ValueError):
    """The figures are of a machine on which other work ran."""


def _results() -> dict[str, Any]:
    results = json.loads(RESULTS.read_text())
    if reason := busy(results["machine"]):
        raise BusyMachineError(f"{RESULTS.name}: {reason} Then `make docs` renews the page.")
    return results


def peers() -> str:
    results = _results()
    machine, rows = results["machine"], results["peers"]
    ours = next((row for row in rows if row["name"] == _OURS and "failed" not in row), None)
    lines = [
        "# Beside other queues",
        "",
        f"Measured on {results['date']} by `make bench-peers`, all in one run: each queue from the package index in an",
        "environment of its own, with two worker processes, at the settings that its documentation recommends for",
        "speed, on a machine without other work.",
        "",
        "![No-op tasks a second, and the round trip of one task](peers.svg)",
        "",
        "| queue | version | holds tasks in | tasks/s | Workroom is | p50 ms | p95 ms | lost by `kill -9` |",
        "| --- | --- | --- | ---: | ---: | ---: | ---: | ---: |",
        *(_figures(row, ours) for row in rows),
        "",
        "- **tasks/s**: no-op tasks, from the first queued to the last done, on workers that have run one task before."
        f" {_sizes(rows)}",
        "- **Workroom is**: its rate in the same run, divided by this one. 2 x is twice as fast.",
        "- **p50, p95**: one task at a time on idle workers, from the call to its result. Procrastinate and",
        "  PgQueuer keep no results; there it is the time until the task is recorded as done (a look each ms).",
        "- **lost by `kill -9`**: tasks that wait while no worker runs. The server that holds them is killed and",
        "  started again, then workers start; counted are the tasks that never run. Redis has its default persistence,",
        "  a snapshot now and then; with `appendonly yes` it loses about a second, by its documentation, and is",
        "  slower. PostgreSQL has `fsync` and `synchronous_commit` on.",
        "",
        "Workroom keeps each result and profiles a tenth of the calls, as it does by default. The others keep no",
        "results for the rate, and their tasks on Redis count themselves there: both are in favour of the others.",
        "",
        "## Settings",
        "",
        "| queue | packages | settings |",
        "| --- | --- | --- |",
        *(f"| {row['title']} | {_versions(row)} | {row['settings']} |" for row in rows),
        "",
        f"The machine: {machine['cores']} cores ({machine['processor']}), {machine['memoryGB']} GB of memory,",
        f"{machine['system']}, Python {machine['python']}, Redis {machine['redis']},",
        f"PostgreSQL {machine['postgresql']}.",
        "",
        "## Run it yourself",
        "",
        "```sh",
        "make bench-peers                    # all, about ten minutes; then `make docs` renews this page",
        "make bench-peers PEERS=celery,rq    # some, into bench/peers-partial.json",
        "```",
        "",
        "The environments stay in `.bench-peers/`. A queue that cannot be installed or does not end in time is a row",
        "with the reason. The programs are in `bench/peers/`, one for each queue, to be read and improved.",
    ]
    return "\n".join(lines) + "\n"


def _sizes(rows: list[dict[str, Any]]) -> str:
    groups = dict[int, list[str]]()
    for row in rows:
        if "failed" not in row:
            groups.setdefault(row["tasks"], []).append(row["title"])
    return "; ".join(f"{tasks:,} tasks: {', '.join(titles)}" for tasks, titles in groups.items()) + "."


def _figures(row: dict[str, Any], ours: dict[str, Any] | None) -> str:
    first = f"| {row['title']} | {next(iter(row.get('versions', {}).values()), '')} | {_SERVERS[row['server']]}"
    if "failed" in row:
        return f"{first} | failed: {row['failed'].replace('|', '/')} | | | | |"
    ratio = f"{ours['perSecond'] / row['perSecond']:.1f} x" if ours and row is not ours else ""
    partly = "" if row["done"] == row["tasks"] else f" ({row['done']:,} done in time)"
    return (
        f"{first} | {row['perSecond']:,.0f}{partly} | {ratio} | {row['p50']:.1f} | {row['p95']:.1f} "
        f"| {row['lost']:,} of {row['waiting']:,} |"
    )


def _versions(row: dict[str, Any]) -> str:
    return ", ".join(f"{name} {version}" for name, version in row.get("versions", {}).items())


_BAR, _LEFT, _WIDTH, _GAP, _VALUE = 24, 110, 260, 90, 64
_STYLE = """
  text { font: 13px system-ui, sans-serif; fill: #24292f } .title { font-weight: 600 }
  .ours { fill: #0a7d6c } .other { fill: #8c959f } .tail { stroke: #57606a; stroke-width: 2 }
  @media (prefers-color-scheme: dark) { text { fill: #d0d7de } .ours { fill: #3fc1ab }
    .other { fill: #6e7681 } .tail { stroke: #b1bac4 } }
""".strip("\n")


def chart() -> str:
    """Two columns of bars: tasks a second, and the round trip, whose line reaches to the p95."""
    rows = [row for row in _results()["peers"] if "failed" not in row]
    height = 40 + _BAR * len(rows)
    width = _LEFT + 2 * (_WIDTH + _VALUE) + _GAP
    right = _LEFT + _WIDTH + _VALUE + _GAP
    fastest = max((row["perSecond"] for row in rows), default=1)
    slowest = max((row["p95"] for row in rows), default=1)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">',
        "<title>No-op tasks a second, and the round trip of one task</title>",
        f"<style>\n{_STYLE}\n</style>",
        f'<text class="title" x="{_LEFT}" y="18">tasks a second</text>',
        f'<text class="title" x="{right}" y="18">round trip, ms: p50, line to p95</text>',
    ]
    for number, row in enumerate(rows):
        y = 30 + _BAR * number
        kind = "ours" if row["name"] == _OURS else "other"
        lines += [
            f'<text x="{_LEFT - 8}" y="{y + 14}" text-anchor="end">{escape(row["title"])}</text>',
            *_bar(_LEFT, y, _WIDTH * row["perSecond"] / fastest, kind, f"{row['perSecond']:,.0f}"),
            *_bar(right, y, _WIDTH * row["p50"] / slowest, kind, f"{row['p50']:.1f}", _WIDTH * row["p95"] / slowest),
        ]
    return "\n".join([*lines, "</svg>"]) + "\n"


def _bar(x: float, y: float, length: float, kind: str, label: str, tail: float = 0.0) -> Iterator[str]:
    yield f'<rect class="{kind}" x="{x}" y="{y}" width="{max(1.0, length):.1f}" height="{_BAR - 6}" rx="2"/>'
    if tail > length:
        middle = y + (_BAR - 6) / 2
        yield f'<line class="tail" x1="{x + length:.1f}" y1="{middle:g}" x2="{x + tail:.1f}" y2="{middle:g}"/>'
    yield f'<text x="{x + max(length, tail) + 6:.1f}" y="{y + 14}">{label}</text>'
