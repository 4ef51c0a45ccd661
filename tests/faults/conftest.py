"""The table that `make faults` prints at its end: for each fault its runs, what was lost, and how long recovery took.

A test names its fault, or its faults, with `@pytest.mark.fault("F2")`, and records what it counted through the fixture
`fault`. A quantity that no test of a fault counts is shown as "-": it is not known to be 0.
"""

from __future__ import annotations

from collections.abc import Generator

import pytest
from tests.faults.fault_table import FAULTS, FaultRecorder, FaultRow, line

_ROWS = pytest.StashKey[dict[str, FaultRow]]()
_RECORDER = pytest.StashKey[FaultRecorder]()


def _rows_of(item: pytest.Item) -> dict[str, FaultRow]:
    marker = item.get_closest_marker("fault")
    numbers = marker.args if marker is not None else ()
    assert set(numbers) <= set(FAULTS), f"{numbers} are not in the table of faults"
    rows = item.config.stash.setdefault(_ROWS, {})
    return {number: rows.setdefault(number, FaultRow()) for number in numbers}


@pytest.fixture
def fault(request: pytest.FixtureRequest) -> FaultRecorder:
    """The recorder of the fault that the test's marker names."""
    rows = _rows_of(request.node)
    assert rows, 'the test needs @pytest.mark.fault("F…")'
    request.node.stash[_RECORDER] = recorder = FaultRecorder(rows)
    return recorder


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.when == "call" or report.failed:
        recorder = item.stash.get(_RECORDER, None)
        for number, row in _rows_of(item).items():
            row.runs += max(1, recorder.runs[number] if recorder is not None else 1)
            row.failed += report.failed
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    rows = config.stash.get(_ROWS, None)
    if not rows:
        return
    head = ("runs", "lost", "doubled", "stale", "p50", "max", "")
    terminalreporter.section("faults")
    terminalreporter.write_line(line("", "fault", head))
    for number, name in FAULTS.items():
        if number in rows:
            terminalreporter.write_line(line(number, name, rows[number].cells()))
        else:
            terminalreporter.write_line(f"{number:<4} {name:<36} not part of this run")
