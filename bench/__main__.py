"""`python -m bench [--rows P1,P6] [--quick]`: every row as one table, and `bench/results.json`."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from types import FrameType

import orjson
from rich.console import Console
from rich.table import Table

from bench.place import Place, open_place
from bench.row import Group, Row, chosen
from bench.rows import GROUPS

RESULTS = Path(__file__).parent / "results.json"
NAMES = [name for group in GROUPS for name in group.names]
QUICK = 0.1


def main(arguments: Sequence[str]) -> int:
    options = _options(arguments)
    signal.signal(signal.SIGTERM, _as_interrupt)
    load = os.getloadavg()[0]
    progress = Console(stderr=True)
    try:
        with open_place(QUICK if options.quick else 1.0) as place:
            durability = ", ".join(f"{name} = {setting}" for name, setting in place.settings().items())
            rows = [_machine(load)]
            for group in _groups(options.rows):
                rows += [row for row in _measure(progress, group, place) if chosen(row.row, options.rows)]
    except KeyboardInterrupt:
        progress.print("Interrupted: the throw-away database is removed, bench/results.json is as it was.")
        return 130
    RESULTS.write_bytes(orjson.dumps([row.as_json() for row in rows], option=orjson.OPT_INDENT_2) + b"\n")
    _print(rows, durability, quick=options.quick)
    return 0


class _Options(argparse.Namespace):
    rows: list[str]
    quick: bool


def _options(arguments: Sequence[str]) -> _Options:
    parser = argparse.ArgumentParser(prog="python -m bench", description="Measure what quality.md promises.")
    parser.add_argument("--rows", type=_row_names, default=NAMES, help=f"which of {', '.join(NAMES)}; all unless told")
    parser.add_argument("--quick", action="store_true", help="a tenth of each size: to see that it works, not how fast")
    return parser.parse_args(arguments, namespace=_Options())


def _row_names(text: str) -> list[str]:
    wanted = [name.strip() for name in text.split(",") if name.strip()]
    unknown = [one for one in wanted if not any(chosen(name, [one]) for name in NAMES)]
    if unknown or not wanted:
        raise argparse.ArgumentTypeError(f"no row {', '.join(unknown) or 'named'}; there are {', '.join(NAMES)}")
    return wanted


def _groups(wanted: list[str]) -> list[Group]:
    return [group for group in GROUPS if any(chosen(name, wanted) for name in group.names)]


def _measure(progress: Console, group: Group, place: Place) -> list[Row]:
    with progress.status(f"measuring {', '.join(group.names)} …"):
        os.sync()  # what the rows before have left to write is not to be measured here
        return list(group.measure(place))


def _machine(load: float) -> Row:
    """Not a promise but a warning: beside other work absolute figures fall, and ratios scatter."""
    cores = len(os.sched_getaffinity(0))
    quiet = 0.25 * cores
    return Row(
        "machine",
        f"load before the start, on {cores} cores",
        load,
        "load",
        None,
        f"≤ {quiet:g} to go by",
        load <= quiet,
    )


def _print(rows: Sequence[Row], durability: str, *, quick: bool) -> None:
    table = Table(title="Workroom's speed" + (" (--quick: a tenth of each size, not to go by)" if quick else ""))
    for heading in ("row", "what"):
        table.add_column(heading, overflow="fold")
    for heading in ("value", "floor", "ratio"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("target")
    table.add_column("ok")
    for row in rows:
        table.add_row(
            row.row,
            row.what,
            f"{_figure(row.value)} {row.unit}",
            "" if row.floor is None else _figure(row.floor),
            "" if row.ratio is None else f"{row.ratio:.2f}",
            row.target,
            "[green]yes[/]" if row.ok else "[red]no[/]",
        )
    table.caption = (
        f"Embedded PostgreSQL, {durability}. Value and floor take turns in one run; medians over the rounds. "
        + ("" if rows[0].ok else "The machine was busy before the start: go by the ratios, and measure again.")
    )
    # Wide enough for every row where the output is a file or a pipe.
    Console(width=None if sys.stdout.isatty() else 150).print(table)


def _figure(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def _as_interrupt(_: int, __: FrameType | None) -> None:
    raise KeyboardInterrupt


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
