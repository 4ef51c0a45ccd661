"""The architecture page names modules and symbols that exist."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[3] / "docs" / "explanation" / "architecture.md"
NAMES = sorted(set(re.findall(r"`(workroom\.[\w.]+)`", PAGE.read_text())))


def test_the_page_names_symbols() -> None:
    assert len(NAMES) > 20


@pytest.mark.parametrize("name", NAMES)
def test_a_name_on_the_architecture_page_exists(name: str) -> None:
    module, _, symbol = name.rpartition(".")
    if symbol.islower() and not hasattr(import_module(module), symbol):
        import_module(name)
    else:
        assert hasattr(import_module(module), symbol)
