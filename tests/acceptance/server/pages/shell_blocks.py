"""For the test of shell blocks: the blocks, those that do not run, and programs that stop once they are ready."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

from tests.acceptance.live import ADMIN_PASSWORD, ROOT
from tests.acceptance.server.pages.page_surroundings import AS_STARTED, Surroundings

# The commands `workroom` and `caddy` of the blocks. A program that runs until it is stopped is stopped once it says
# that it is ready, and must end with 0.
_COMMAND = """#!{python}
import os, re, signal, subprocess, sys, tempfile
words = [*{program}, *sys.argv[1:]]
environment = dict(os.environ)
if sys.argv[1] not in {forever} or "--help" in sys.argv:
    sys.exit(subprocess.run(words).returncode)
if sys.argv[1] == "serve":
    environment.pop("WORKROOM_URL", None)
    environment |= {{"WORKROOM_DATA": tempfile.mkdtemp(dir=os.getcwd(), prefix="data-"), "WORKROOM_PORT": "0"}}
    os.chmod(environment["WORKROOM_DATA"], 0o711)
if sys.argv[1] == "celery":
    words += ["--loglevel", "info"]  # else it does not say that it is ready
process = subprocess.Popen(words, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
for line in process.stdout:
    print(line, end="", flush=True)
    if re.search({ready!r}, line):
        process.send_signal(signal.SIGTERM)
        break
print(process.stdout.read())
code = process.wait(60)
sys.exit(0 if code == -signal.SIGTERM else code)
"""
_FOREVER = ["serve", "worker", "pool", "celery"]
_READY = r"listens at|offers|process(es)? runs?|process(es)? for\b|@\S+ ready\."

_SYSTEMD = "installs system-wide with systemd running; run_deployed.py runs the command of each unit"
_PODMAN = "needs podman and images of a registry; run_deployed.py runs the files of deploy/ without containers"
_HOURS = "measures for minutes to hours on a quiet machine"
NOT_RUN: dict[tuple[str, int], str] = {
    ("README.md", 1): "installs a release from the package index; scripts/try_wheel.py installs the built wheel",
    ("CONTRIBUTING.md", 0): "runs all tests, and this one with them",
    ("docs/howto/backup.md", 1): _SYSTEMD,
    ("docs/howto/celery.md", 3): "starts Flower, which is not installed with Workroom",
    ("docs/howto/containers.md", 0): _PODMAN,
    ("docs/howto/containers.md", 1): _PODMAN,
    ("docs/howto/containers.md", 2): _PODMAN,
    ("docs/howto/containers.md", 3): _PODMAN,
    ("docs/howto/slurm.md", 0): "needs a SLURM cluster; test_slurm_fleet.py runs such a fleet on a real one",
    ("docs/howto/systemd.md", 0): _SYSTEMD,
    ("docs/howto/upgrade.md", 0): _SYSTEMD,
    ("docs/reference/bench.md", 0): _HOURS,
    ("docs/reference/peers.md", 0): _HOURS,
}
# Run as written by another test, which reads them from the page.
RUN_ELSEWHERE = {("README.md", 0): "test_fresh_clone.py"}

_SIGN_IN = re.compile(r"WORKROOM_USER=(\w+) WORKROOM_PASSWORD=…")
_BLOCK = re.compile(r"^```(console|sh|bash)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def shell_blocks() -> dict[str, list[str]]:
    """What is typed, by page. The commands of cli.md are parsed by tests/unit/cli/test_help.py."""
    pages = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
    found = {str(page.relative_to(ROOT)): _BLOCK.findall(page.read_text()) for page in pages}
    return {
        page: [_typed(kind, text) for kind, text in blocks]
        for page, blocks in found.items()
        if blocks and page != "docs/reference/cli.md"
    }


def _typed(kind: str, text: str) -> str:
    """The lines behind a prompt; without a prompt all lines."""
    lines = text.splitlines()
    if kind == "console" and any(line.startswith("$ ") for line in lines):
        lines = [line.removeprefix("$ ") for line in lines if line.startswith("$ ")]
    return "\n".join(lines)


def replaced(text: str, beside: Surroundings, database: str, folder: Path, passwords: Mapping[str, str]) -> str:
    """The block with the addresses, folders and accounts of this test in place of those of the pages.

    An account that an earlier block has made signs in with the password that the block has printed, others are admin.
    """

    def signed_in(found: re.Match[str]) -> str:
        name = found[1] if found[1] in passwords else "admin"
        return f"WORKROOM_USER={name} WORKROOM_PASSWORD='{passwords.get(name, ADMIN_PASSWORD)}'"

    text = _SIGN_IN.sub(signed_in, text)
    for old, new in (
        *beside.replaced,
        ("https://workroom.example.org", beside.url),
        ("https://server.example.org", beside.url),
        ("http://server.example.org:8686", beside.url),
        ("http://127.0.0.1:8686", beside.url),
        ("postgresql://workroom:…@db.example.org/workroom", database),
        ("postgresql://user@host/workroom", database),
        ("WORKROOM_PASSWORD=…", f"WORKROOM_PASSWORD='{ADMIN_PASSWORD}'"),
        ("METRICS_TOKEN=…", "METRICS_TOKEN=a-token-of-the-tests"),
        ("WORKROOM_SECRET=…", f"WORKROOM_SECRET={'a-secret-of-the-tests' * 3}"),
        ("--user ada", "--user admin"),
        ("--host 0.0.0.0 --port 80 ", ""),
        ("--workers 16", "--workers 2"),
        ("/backup/", f"{folder}/"),
        ("/srv/", f"{folder}/"),
        ("/tmp/try-restore", f"{folder}/try-restore"),
    ):
        text = text.replace(old, new)
    return text


def environment(page: str, beside: Surroundings, folder: Path) -> dict[str, str]:
    """That of a person who is signed in as admin, on the machine of the server; on some pages by the server's files."""
    programs = folder / "bin"
    programs.mkdir()
    _make_program(programs / "workroom", [sys.executable, "-m", "workroom.cli"], _FOREVER, _READY)
    if caddy := shutil.which("caddy"):
        _make_program(programs / "caddy", [caddy], ["run"], "serving initial configuration")
    kept = {name: value for name, value in os.environ.items() if not name.startswith("WORKROOM_")}
    signed_in = {"WORKROOM_URL": beside.url, "WORKROOM_USER": "admin", "WORKROOM_PASSWORD": ADMIN_PASSWORD}
    kept |= {} if page in AS_STARTED else signed_in
    return kept | {
        "PATH": os.pathsep.join([str(programs), str(Path(sys.executable).parent), os.environ["PATH"]]),
        "HOME": str(folder),
        "WORKROOM_DATA": str(beside.server.data),
        "BROWSER": "true",
        "PYTHONUNBUFFERED": "1",
    }


def _make_program(file: Path, program: list[str], forever: list[str], ready: str) -> None:
    file.write_text(_COMMAND.format(python=sys.executable, program=program, forever=forever, ready=ready))
    file.chmod(0o755)
