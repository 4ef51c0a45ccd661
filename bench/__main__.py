"""`python -m bench [--rows P1,P6] [--quick]`: measures the rows, prints a table and writes `bench/results.json`."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Sequence
from types import FrameType

from rich.console import Console
from rich.table import Table

from bench.environment import open_environment
from bench.results import Results, measure_group
from bench.row import Group, Row, Status, measured, selected
from bench.rows import GROUPS

NAMES = [name for group in GROUPS for name in group.names]
QUICK = 0.1
COLOURS = {Status.MET: "green", Status.MISSED: "red", Status.FAILED: "red", Status.SKIPPED: "yellow"}


def main(arguments: Sequence[str]) -> int:
    options = _options(arguments)
    signal.signal(signal.SIGTERM, _interrupt)
    results = Results()
    load = os.getloadavg()[0]
    progress = Console(stderr=True)
    try:
        with open_environment(QUICK if options.quick else 1.0) as environment:
            durability = ", ".join(f"{name} = {setting}" for name, setting in environment.durability().items())
            machine = _machine(load)
            results.add(machine)
            for group in _groups(options.rows):
                with progress.status(f"measuring {', '.join(group.names)} …"):
                    os.sync()  # writes that earlier rows left to the system would slow this one down
                    for row in measure_group(group, environment):
                        if selected(row.row, options.rows):
                            results.add(row)
    except KeyboardInterrupt:
        progress.print("Interrupted: the throw-away database is removed, bench/results.json has the rows so far.")
        return 130
    _print(results.rows, durability, quick=options.quick)
    return exit_status(results.rows[1:], quick=options.quick)


class _Options(argparse.Namespace):
    rows: list[str]
    quick: bool


def _options(arguments: Sequence[str]) -> _Options:
    parser = argparse.ArgumentParser(prog="python -m bench", description="Measure the speed that Workroom promises.")
    parser.add_argument("--rows", type=_row_names, default=NAMES, help=f"some of {', '.join(NAMES)}; default: all")
    parser.add_argument(
        "--quick", action="store_true", help="a tenth of each size: shows that the rows work, not how fast they are"
    )
    return parser.parse_args(arguments, namespace=_Options())


def _row_names(text: str) -> list[str]:
    patterns = [name.strip() for name in text.split(",") if name.strip()]
    unknown = [pattern for pattern in patterns if not any(selected(name, [pattern]) for name in NAMES)]
    if unknown or not patterns:
        raise argparse.ArgumentTypeError(f"no row {', '.join(unknown) or 'named'}; there are {', '.join(NAMES)}")
    return patterns


def _groups(patterns: list[str]) -> list[Group]:
    return [group for group in GROUPS if any(selected(name, patterns) for name in group.names)]


def _machine(load: float) -> Row:
    """A warning, not a promise: beside other work absolute values fall and ratios scatter."""
    cores = len(os.sched_getaffinity(0))
    quiet = 0.25 * cores
    what = f"load average before the start, {cores} cores"
    return measured("machine", what, load, "load", target=f"≤ {quiet:g} for reliable values", met=load <= quiet)


def exit_status(rows: Sequence[Row], *, quick: bool) -> int:
    """1 if a row failed or a target was missed. A quick run is too short for the targets."""
    bad = {Status.FAILED} if quick else {Status.FAILED, Status.MISSED}
    return int(any(row.status in bad for row in rows))


def _print(rows: Sequence[Row], durability: str, *, quick: bool) -> None:
    table = Table(title="Speed of Workroom" + (" (--quick: a tenth of each size, not comparable)" if quick else ""))
    for heading in ("row", "what"):
        table.add_column(heading, overflow="fold")
    for heading in ("value", "floor", "ratio"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("target")
    table.add_column("status")
    for row in rows:
        table.add_row(
            row.row,
            row.reason or row.what,
            "" if row.value is None else f"{_figure(row.value)} {row.unit}",
            "" if row.floor is None else _figure(row.floor),
            "" if row.ratio is None else f"{row.ratio:.2f}",
            row.target,
            f"[{COLOURS.get(row.status, 'default')}]{row.status}[/]",
        )
    table.caption = (
        f"Embedded PostgreSQL, {durability}. Value and floor are measured in turns; medians over the rounds. "
        + ("The machine was busy before the start: trust only the ratios." if rows[0].status is Status.MISSED else "")
    )
    # A file or a pipe has no width of its own: wide enough for every row.
    Console(width=None if sys.stdout.isatty() else 150).print(table)


def _figure(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def _interrupt(_: int, __: FrameType | None) -> None:
    raise KeyboardInterrupt


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
