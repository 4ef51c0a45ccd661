"""The page of guarantees names tests that exist, and shows every promise by at least one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs" / "explanation" / "guarantees.md"
ROWS = [
    line
    for line in PAGE.read_text().splitlines()
    if line.startswith("| ") and not line.startswith(("| promise", "| ---"))
]
TESTS = {
    name
    for file in (ROOT / "tests").rglob("test_*.py")
    for name in re.findall(r"^(?:async )?def (test_\w+)", file.read_text(), re.MULTILINE)
}


def test_the_page_lists_promises() -> None:
    assert len(ROWS) > 12


@pytest.mark.parametrize("row", ROWS, ids=[row.split("|")[1].strip()[:60] for row in ROWS])
def test_a_promise_is_shown_by_tests_that_exist(row: str) -> None:
    promise, mechanism, shown = (cell.strip() for cell in row.strip("|").split("|"))
    named = re.findall(r"`(test_\w+)`", shown)
    assert promise and mechanism and named
    assert set(named) <= TESTS, "a test was renamed: name the one that shows the promise now"
