"""An installation with some of the extras only: a virtual environment with links to the packages of the tests' own."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

from tests.acceptance.live import ROOT

_REQUIREMENT = re.compile(r"^([\w.-]+)(?:\[([\w,. -]+)\])?[^;]*(?:;(.*))?$")


class PartialInstall:
    """A Python that has workroom and the packages that these extras need, and nothing else."""

    def __init__(self, folder: Path, *extras: str) -> None:
        self.python = folder / "bin" / "python"
        venv.create(folder, symlinks=True, with_pip=False)
        self.packages = folder / Path(sysconfig.get_path("purelib")).relative_to(sys.prefix)
        for name in _needed("workroom", frozenset(extras), set()):
            self._link(name)
        (self.packages / "workroom.pth").write_text(f"{ROOT / 'src'}\n")

    def _link(self, name: str) -> None:
        found = distribution(name)
        tops = {file.parts[0] for file in found.files or () if not file.parts[0].startswith((".", "__pycache__"))}
        for top in tops:
            source, target = Path(str(found.locate_file(top))), self.packages / top
            if source.exists() and not target.exists():
                target.symlink_to(source)

    def run(self, *command: str, **more: Any) -> subprocess.CompletedProcess[str]:
        """`PREFIX… python COMMAND…`, with the variables of `env` in place of all of workroom."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith("WORKROOM_")}
        environment |= more.pop("env", {})
        return subprocess.run(
            [*more.pop("prefix", []), str(self.python), *command],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
            env=environment,
            **more,
        )

    def commands(self, *commands: str, **more: Any) -> Iterator[tuple[str, dict[str, Any]]]:
        """Commands of `workroom`, in one process, each with its exit code and output. A traceback fails the test."""
        ended = self.run("-c", _COMMANDS, *commands, **more)
        assert ended.returncode == 0, ended.stderr
        yield from json.loads(ended.stdout).items()


_COMMANDS = """
import json, sys
from typer.testing import CliRunner
from workroom.cli import app
ended = {command: CliRunner().invoke(app, command.split()) for command in sys.argv[1:]}
for result in ended.values():
    if not isinstance(result.exception, SystemExit | None):
        raise result.exception
print(json.dumps({command: {"code": result.exit_code, "output": result.output} for command, result in ended.items()}))
"""


def _needed(name: str, extras: frozenset[str], seen: set[tuple[str, frozenset[str]]]) -> set[str]:
    """The names of all packages that a package with these extras needs, except workroom itself."""
    if (name, extras) in seen:
        return set()
    seen.add((name, extras))
    try:
        requirements = distribution(name).requires or []
    except PackageNotFoundError:  # for other systems or versions of Python
        return set()
    found: set[str] = set() if name == "workroom" else {name}
    for text in requirements:
        parsed = _REQUIREMENT.match(text)
        assert parsed is not None, text
        wanted = re.findall(r"extra == ['\"]([\w-]+)['\"]", parsed[3] or "")
        if not wanted or extras & set(wanted):
            found |= _needed(parsed[1], frozenset(re.findall(r"[\w-]+", parsed[2] or "")), seen)
    return found
