"""Prints totals of all browser scenarios at the end of a run."""

from __future__ import annotations

from collections import Counter

import pytest


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    totals: Counter[str] = Counter()
    for reports in terminalreporter.stats.values():
        for report in reports:
            if getattr(report, "when", None) == "call":
                for name, value in report.user_properties:
                    if name == "counts":
                        totals.update({"scenarios": 1} | value)
    if totals:
        terminalreporter.section("browser scenarios")
        for what, number in totals.items():
            terminalreporter.write_line(f"{number:6} {what}")
