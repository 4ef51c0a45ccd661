"""A reader finds things without opening them: packages map their modules, and a folder holds few of them."""

from __future__ import annotations

import ast
import re
from collections import Counter
from pathlib import Path

import pytest

import workroom

ROOT = Path(workroom.__file__).parent
REPOSITORY = Path(__file__).parents[2]
# Alembic finds its files by their place.
PACKAGES = sorted(
    path.parent for path in ROOT.rglob("__init__.py") if "migrations" not in path.parts and "static" not in path.parts
)
BUILT = {"static", "docs_site"}  # folders of the server that a build makes
MOST_MODULES = 15
# A row of a map: `name  text`, `name/  text` or "- `name`: text".
_ROW = re.compile(r"^ *(?:- `)?([a-z_][a-z0-9_]*)(?:/ +|`: |  +)\S", re.MULTILINE)


def _docstring(package: Path) -> str:
    return ast.get_docstring(ast.parse((package / "__init__.py").read_text())) or ""


@pytest.mark.parametrize("package", PACKAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_package_maps_its_modules(package: Path) -> None:
    text = _docstring(package)
    modules = {path.stem for path in package.glob("*.py")} - {"__init__", "__main__"}
    packages = {path.parent.name for path in package.glob("*/__init__.py")}
    assert sorted(name for name in modules | packages if not re.search(rf"\b{name}\b", text)) == []


@pytest.mark.parametrize("package", PACKAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_map_names_only_what_exists(package: Path) -> None:
    there = {path.stem for path in package.glob("*.py")} | {path.name for path in package.iterdir() if path.is_dir()}
    assert sorted(set(_ROW.findall(_docstring(package))) - there - BUILT) == []


@pytest.mark.parametrize("folder", ["src/workroom", "tests", "web/src", "web/e2e"])
def test_no_folder_holds_more_than_fifteen_modules(folder: str) -> None:
    modules = [
        path
        for pattern in ("*.py", "*.ts", "*.tsx")
        for path in (REPOSITORY / folder).rglob(pattern)
        # The tests of a module of the web app stand beside it.
        if path.name != "__init__.py" and not path.name.endswith((".test.ts", ".test.tsx", ".d.ts"))
    ]
    sizes = Counter(str(path.parent.relative_to(REPOSITORY)) for path in modules)
    assert modules and {name: size for name, size in sizes.items() if size > MOST_MODULES} == {}
