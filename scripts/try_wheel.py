"""Tries the wheel of a folder in fresh environments, one for each Python of this machine: try_wheel.py DIST

The wheel has the web app and the documentation. A light install prints its version and says what `serve` needs. With
the extras, the demo checks every kind of job.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

PYTHONS = ("python3.11", "python3.12", "python3.13", "python3.14")


def main() -> None:
    (wheel,) = Path(sys.argv[1]).resolve().glob("*.whl")
    version = wheel.name.split("-")[1]
    built = set(zipfile.ZipFile(wheel).namelist())
    for page in ("static/index.html", "static/explorer.html.gz", "docs_site/index.html"):
        if f"workroom/server/{page}" not in built:
            sys.exit(f"{wheel.name} has no workroom/server/{page}.")
    found = [program for name in PYTHONS if (program := shutil.which(name)) and _is_usable(program)]
    if not found:
        sys.exit(f"None of {', '.join(PYTHONS)} is here.")
    for program in found:
        started = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="workroom wheel ") as folder:  # the space is part of the check
            megabytes = _try(program, wheel, version, Path(folder))
        print(f"{program}: {time.monotonic() - started:.0f} s, {megabytes} MB with server and atoms", flush=True)


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
    run(venv / "bin/python", "-c", "from workroom import Category, ClusterPool, Extension, Registry, Room, job")
    expect(run(workroom, "serve", code=1), "pip install 'workroom[server]'")
    run(uv, "pip", "install", "--quiet", "--python", venv / "bin/python", f"workroom[server,atoms] @ {wheel.as_uri()}")
    expect(run(workroom, "demo", "--check"), "Every kind of job ended as expected")
    return sum(file.lstat().st_size for file in venv.rglob("*") if file.is_file()) // 1_000_000


if __name__ == "__main__":
    main()
