"""The demo installs the same versions as everything else, but no development tools."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]


def _locked(name: str) -> dict[str, str]:
    return dict(re.findall(r"^([a-z0-9][a-z0-9.-]*)==([^\s;\\]+)", (ROOT / name).read_text(), re.MULTILINE))


def _names(requirements: list[str]) -> set[str]:
    found = (re.match(r"[A-Za-z0-9._-]+", one) for one in requirements)
    return {re.sub(r"[._]", "-", one[0]).lower() for one in found if one is not None}


def test_the_demo_has_what_it_needs_and_no_development_tools() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    project, development = settings["project"], _names(settings["dependency-groups"]["dev"])
    lean, whole = _locked("requirements-demo.lock"), _locked("requirements.lock")
    extras = project["optional-dependencies"]
    assert _names([*project["dependencies"], *extras["server"], *extras["atoms"]]) <= lean.keys()
    assert lean.items() <= whole.items(), "versions differ: make lock"
    build = _names([*(ROOT / "requirements-demo.in").read_text().splitlines()[1:]])
    assert build <= lean.keys()
    assert development <= whole.keys(), "a development tool is not locked: make lock"
    assert not (development - build) & lean.keys()
    assert len(lean) < 0.75 * len(whole)
