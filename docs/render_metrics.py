"""The reference of the metrics, from the families that a server renders."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast
from uuid import UUID

from workroom.actions.queries.overview import Overview
from workroom.domain.jobs.latency import BOUNDS
from workroom.server.metrics import from_database, of_process
from workroom.server.metrics.metric_family import Family
from workroom.store.queue_tables.extensions import WaitingQueue

_LIBRARY = ("process_", "python_")


def metrics() -> str:
    queue = WaitingQueue("room", "lab", "modifiers", "Relax", 1, 0, UUID(int=0))
    facts: Any = SimpleNamespace(servers=1, leaders=1, bytes=0)
    states = ("blocked", "pending", "active", "completed", "failed", "cancelled")
    overview = Overview(dict.fromkeys(states, 0), [queue], [("remote", "idle", 1)], [], facts)
    upkeep: Any = SimpleNamespace(leads=SimpleNamespace(is_set=bool))
    of_process.observe_request("GET", "/api/rooms", 200, 0.0)
    of_process.count_sign_in("password", "ok")
    own = of_process.families(0, upkeep, cast(Any, SimpleNamespace(stats=dict[str, int])), Path.cwd())
    lines = [
        "# Metrics",
        "",
        "What `/metrics` has, in Prometheus' format. [Monitor a server](../howto/monitoring.md) says how to read it,",
        "and has the alerts and the dashboard. A name that ends in `_total` never falls. A histogram `NAME` has",
        "`NAME_bucket{le}`, `NAME_count` and `NAME_sum`; those of waits and runs have buckets from",
        f"{min(BOUNDS)} to {_largest():,.0f} seconds.",
        "",
        "## Of the database",
        "",
        "The same at every server. Calls that pools run without a server are included.",
        *_table(from_database.families(overview)),
        "",
        "## Of each server process",
        "",
        "The label `replica` names the process. Beside these there are `process_…` (memory, CPU, open files) and",
        "`python_info`.",
        *_table(family for family in own if not family.name.startswith(_LIBRARY)),
    ]
    return "\n".join(lines) + "\n"


def _largest() -> float:
    return max(bound for bound in BOUNDS if bound != float("inf"))


def _table(families: Iterable[Family]) -> list[str]:
    lines = ["", "| metric | type | labels | meaning |", "| --- | --- | --- | --- |"]
    for family in families:
        name = {"counter": f"{family.name}_total", "info": f"{family.name}_info"}.get(family.kind, family.name)
        labels = sorted({label for sample in family.samples for label in sample.labels} - {"le"})
        shown = ", ".join(f"`{label}`" for label in labels)
        lines.append(f"| `{name}` | {family.kind} | {shown} | {family.help} |")
    return lines
