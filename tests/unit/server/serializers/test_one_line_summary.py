"""Arguments and results in one line."""

from __future__ import annotations

from typing import Any

import pytest

from workroom.server.serializers.one_line_summary import one_line


@pytest.mark.parametrize(
    ("value", "line"),
    [
        ({"fmax": 0.05, "steps": 40, "verbose": False, "seed": None}, "fmax 0.05, steps 40, verbose no, seed none"),
        ({"inner": {"a": 1 / 3}, "atoms": list(range(20))}, "inner (a 0.33333), atoms [0, 1, 2, 3, 4, 5, 6, 7, …]"),
        ("two\nlines", "two lines"),
        ("x" * 300, "x" * 199 + "…"),
        ({}, ""),
    ],
)
def test_a_value_is_one_short_line(value: Any, line: str) -> None:
    assert one_line(value) == line
