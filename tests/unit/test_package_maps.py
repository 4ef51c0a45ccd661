"""The docstring of every package maps all its modules, so that a reader finds things without opening them."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import workroom

ROOT = Path(workroom.__file__).parent
# Alembic finds its files by their place.
PACKAGES = sorted(
    path.parent for path in ROOT.rglob("__init__.py") if "migrations" not in path.parts and "static" not in path.parts
)


@pytest.mark.parametrize("package", PACKAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_package_maps_its_modules(package: Path) -> None:
    text = ast.get_docstring(ast.parse((package / "__init__.py").read_text())) or ""
    modules = {path.stem for path in package.glob("*.py")} - {"__init__", "__main__"}
    packages = {path.parent.name for path in package.glob("*/__init__.py")}
    assert sorted(name for name in modules | packages if not re.search(rf"\b{name}\b", text)) == []


def test_no_folder_holds_more_than_sixteen_modules() -> None:
    sizes = {str(package.relative_to(ROOT)): len(list(package.glob("*.py"))) for package in PACKAGES}
    assert {name: size for name, size in sizes.items() if size > 16} == {}
