"""`python -m bench.peer_race [--peers celery,rq] [--quick]`: runs the queues and writes `bench/peers.json`."""

from __future__ import annotations

import argparse
import datetime
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import orjson
from rich.console import Console
from rich.table import Table

from bench.peer_race.entrants import ENTRANTS, Entrant
from bench.peer_race.environments import NotInstalled
from bench.peer_race.machine import busy, machine
from bench.peer_race.measuring import PhaseFailed, measure
from bench.row import RowSkipped

FILE = Path(__file__).parents[1] / "peers.json"
QUICK = 0.02


class _Options(argparse.Namespace):
    peers: str
    quick: bool
    output: Path


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.peer_race", description="The same work on other queues.")
    names = [one.name for one in ENTRANTS]
    parser.add_argument("--peers", default=",".join(names), help=f"some of {', '.join(names)}")
    parser.add_argument("--quick", action="store_true", help="a fiftieth of each size: shows that the programs work")
    parser.add_argument("--output", type=Path, default=FILE)
    options = parser.parse_args(arguments, namespace=_Options())
    wanted = [name.strip() for name in options.peers.split(",") if name.strip()]
    if unknown := [name for name in wanted if name not in names]:
        parser.error(f"no queue {', '.join(unknown)}; there are {', '.join(names)}")
    if wanted != names or options.quick:
        # The docs' table comes from one complete run.
        options.output = options.output.with_name("peers-partial.json") if options.output == FILE else options.output
    results: dict[str, Any] = {
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "quick": options.quick,
        "machine": machine(os.getloadavg()[0]),
        "peers": [],
    }
    progress = Console(stderr=True)
    if options.output == FILE and (reason := busy(results["machine"])):
        progress.print(f"{reason} Nothing was measured; with --quick or --peers a busy machine will do.", markup=False)
        return 1
    try:
        for entrant in ENTRANTS:
            if entrant.name in wanted:
                with progress.status(f"{entrant.title} …"):
                    os.sync()  # writes that earlier queues left to the system would slow this one down
                    results["peers"].append(_row(entrant, QUICK if options.quick else 1.0))
                options.output.write_bytes(orjson.dumps(results, option=orjson.OPT_INDENT_2) + b"\n")
    except KeyboardInterrupt:
        progress.print(f"Interrupted: {options.output} has the queues so far.")
        return 130
    _print(results["peers"])
    return 0


def _row(entrant: Entrant, share: float) -> dict[str, Any]:
    """One row; a queue that fails does not end the run."""
    row = {"name": entrant.name, "title": entrant.title, "server": entrant.server, "settings": entrant.settings}
    try:
        return row | measure(entrant, share)
    except (NotInstalled, PhaseFailed, RowSkipped, OSError, ValueError, AssertionError) as problem:
        return row | {"failed": str(problem) or type(problem).__name__}
    except subprocess.SubprocessError as problem:
        return row | {"failed": f"{type(problem).__name__}: {problem}"[-300:]}


def _print(rows: list[dict[str, Any]]) -> None:
    table = Table(title="The same no-op work on other queues")
    ours = next((row["perSecond"] for row in rows if row["name"] == "workroom" and "failed" not in row), None)
    for heading in ("queue", "tasks/s", "Workroom is", "p50 ms", "p95 ms", "lost of waiting"):
        table.add_column(heading, justify="left" if heading == "queue" else "right")
    for row in rows:
        if "failed" in row:
            table.add_row(row["title"], f"failed: {row['failed']}")
        else:
            ratio = f"{ours / row['perSecond']:.1f} x" if ours and row["name"] != "workroom" else ""
            figures = f"{row['perSecond']:,.0f}", ratio, f"{row['p50']:.1f}", f"{row['p95']:.1f}"
            table.add_row(row["title"], *figures, f"{row['lost']:,} of {row['waiting']:,}")
    Console(width=None if sys.stdout.isatty() else 150).print(table)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
