"""The table that `make faults` prints at its end: for each fault its runs, what was lost, and how long recovery took.

A test names its fault with `@pytest.mark.fault("F2")`, and records what it counted through the fixture `fault`. A
quantity that no test of a fault counts is shown as "-": it is not known to be 0.
"""

from __future__ import annotations

from collections.abc import Generator

import pytest
from tests.faults.fault_table import FAULTS, FaultRecorder, FaultRow, line

_ROWS = pytest.StashKey[dict[str, FaultRow]]()
_RECORDER = pytest.StashKey[FaultRecorder]()


def _row_of(item: pytest.Item) -> FaultRow | None:
    marker = item.get_closest_marker("fault")
    if marker is None:
        return None
    (number,) = marker.args
    assert number in FAULTS, f"{number} is not in the table of faults"
    return item.config.stash.setdefault(_ROWS, {}).setdefault(number, FaultRow())


@pytest.fixture
def fault(request: pytest.FixtureRequest) -> FaultRecorder:
    """The recorder of the fault that the test's marker names."""
    row = _row_of(request.node)
    assert row is not None, 'the test needs @pytest.mark.fault("F…")'
    request.node.stash[_RECORDER] = recorder = FaultRecorder(row)
    return recorder


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    row = _row_of(item)
    if row is not None and (report.when == "call" or report.failed):
        recorder = item.stash.get(_RECORDER, None)
        row.runs += max(1, recorder.runs if recorder is not None else 1)
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
