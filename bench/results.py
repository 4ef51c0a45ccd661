"""`bench/results.json`: all rows of the last run, written again after every row, so that no measurement is lost."""

from __future__ import annotations

import traceback
from collections.abc import Iterator
from pathlib import Path

import orjson

from bench.environment import Environment
from bench.row import Group, Row, RowSkipped, Status, failed, skipped

FILE = Path(__file__).parent / "results.json"


class Results:
    """The rows of one run; the file always holds those that are known so far."""

    def __init__(self, file: Path = FILE) -> None:
        self._file = file
        self.rows: list[Row] = []

    def add(self, row: Row) -> None:
        self.rows.append(row)
        unfinished = self._file.with_suffix(".json.new")
        unfinished.write_bytes(orjson.dumps([row.as_json() for row in self.rows], option=orjson.OPT_INDENT_2) + b"\n")
        unfinished.replace(self._file)

    def has(self, *statuses: Status) -> bool:
        return any(row.status in statuses for row in self.rows)


def measure_group(group: Group, environment: Environment) -> Iterator[Row]:
    """The group's rows as they are measured; those that cannot be measured are skipped or failed, with the reason."""
    remaining = list(group.names)
    try:
        for row in group.measure(environment):
            remaining.remove(row.row)
            yield row
    except RowSkipped as skip:
        yield from [skipped(name, str(skip)) for name in remaining]
    except Exception as error:
        traceback.print_exception(error)
        yield from [failed(name, _describe(error)) for name in remaining]
    else:
        yield from [failed(name, "its group ended without measuring it") for name in remaining]


def _describe(error: Exception) -> str:
    """The error and where it was raised."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {error} ({Path(frame.filename).name}:{frame.lineno})"
