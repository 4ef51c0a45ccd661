"""Tries the wheel and the sdist of a folder in fresh environments: try_wheel.py DIST

The wheel, with each Python of this machine: it has the web app and the documentation. A light install prints its
version and says what `serve` needs. With the extras, the demo checks every kind of job. The sdist, with one Python: it
has what a build needs and nothing that was made here, and a light install from it prints its version.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile
from pathlib import Path

PYTHONS = ("python3.11", "python3.12", "python3.13", "python3.14")


def main() -> None:
    (wheel,) = Path(sys.argv[1]).resolve().glob("*.whl")
    version = wheel.name.split("-")[1]
    built = set(zipfile.ZipFile(wheel).namelist())
    for page in ("static/index.html", "static/explorer.html", "docs_site/index.html"):
        if f"workroom/server/{page}" not in built:
            sys.exit(f"{wheel.name} has no workroom/server/{page}.")
    found = [program for name in PYTHONS if (program := shutil.which(name)) and _is_usable(program)]
    if not found:
        sys.exit(f"None of {', '.join(PYTHONS)} is here.")
    _try_sdist(found[0], Path(sys.argv[1]).resolve(), version)
    for program in found:
        started = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="workroom wheel ") as folder:  # the space is part of the check
            megabytes = _try(program, wheel, version, Path(folder))
        print(f"{program}: {time.monotonic() - started:.0f} s, {megabytes} MB with server and atoms", flush=True)


def _try_sdist(program: str, dist: Path, version: str) -> None:
    (sdist,) = dist.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    missing = {"pyproject.toml", "README.md", "LICENSE", "hatch_build.py", "hatch_metadata.py", "web/package-lock.json"}
    if missing := missing - names:
        sys.exit(f"{sdist.name} has no {', '.join(sorted(missing))}.")
    if made := [name for name in names if "node_modules" in name or "/static/assets" in name or ".venv" in name]:
        sys.exit(f"{sdist.name} has files that were made here, such as {made[0]}.")
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="workroom sdist ") as folder:
        uv, venv = Path(sys.executable).parent / "uv", Path(folder) / "venv"
        # The wheel that is built from the sdist gets its web app with npm, as a user's would.
        for words in (
            [uv, "venv", "--quiet", "--python", program, venv],
            [uv, "pip", "install", "--quiet", "--python", venv / "bin/python", sdist],
        ):
            done = subprocess.run(words, capture_output=True, text=True, check=False)
            if done.returncode != 0:
                sys.exit(f"{' '.join(map(str, words))} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
        said = subprocess.run([venv / "bin/workroom", "--version"], capture_output=True, text=True, check=True).stdout
        if version not in said or not any(venv.glob("lib/python*/site-packages/workroom/server/static/index.html")):
            sys.exit(f"The install from {sdist.name} is not complete; it said: {said}")
    print(f"{sdist.name}: built and installed in {time.monotonic() - started:.0f} s", flush=True)


def _is_usable(program: str) -> bool:
    """A name may be a placeholder of a version manager."""
    return subprocess.run([program, "-c", ""], capture_output=True, check=False).returncode == 0


def _try(program: str, wheel: Path, version: str, folder: Path) -> int:
    uv, venv = Path(sys.executable).parent / "uv", folder / "venv"
    home = folder / "home"
    home.mkdir()
    environment = {"PATH": os.environ["PATH"], "HOME": str(home), "WORKROOM_DATA": str(home / "data")}
    environment |= {name: value for name, value in os.environ.items() if name.startswith(("UV_", "PIP_", "SSL_"))}

    def run(*words: str | Path, code: int = 0) -> str:
        done = subprocess.run(words, env=environment, cwd=home, capture_output=True, text=True, check=False)
        if done.returncode != code:
            sys.exit(f"{' '.join(map(str, words))} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
        return done.stdout + done.stderr

    def expect(said: str, wanted: str) -> None:
        if wanted not in said:
            sys.exit(f"{program}: {wanted!r} is not in what was said:\n{said}")

    workroom = venv / "bin/workroom"
    run(uv, "venv", "--quiet", "--python", program, venv)
    run(uv, "pip", "install", "--quiet", "--python", venv / "bin/python", wheel)
    expect(run(workroom, "--version"), version)
    run(venv / "bin/python", "-c", "from workroom import Category, Extension, Registry, Room, job")
    expect(run(venv / "bin/python", "-c", "from workroom import ClusterPool", code=1), "pip install 'workroom[server]'")
    expect(run(workroom, "serve", code=1), "pip install 'workroom[server]'")
    run(uv, "pip", "install", "--quiet", "--python", venv / "bin/python", f"workroom[server,atoms] @ {wheel.as_uri()}")
    expect(run(workroom, "demo", "--check"), "Every kind of job ended as expected")
    return sum(file.lstat().st_size for file in venv.rglob("*") if file.is_file()) // 1_000_000


if __name__ == "__main__":
    main()
