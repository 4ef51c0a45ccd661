"""For the test of shell blocks: a command `workroom` that stops what runs for ever, and the blocks that do not run."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from tests.acceptance.live import ADMIN_PASSWORD, LiveServer

# The command `workroom` of the blocks. A program that runs until it is stopped is stopped once it says that it is
# ready, and must end with 0.
COMMAND = """#!{python}
import os, re, signal, subprocess, sys, tempfile
words = [sys.executable, "-m", "workroom.cli", *sys.argv[1:]]
environment = dict(os.environ)
if sys.argv[1] not in ("serve", "worker", "pool") or "--help" in sys.argv:
    sys.exit(subprocess.run(words).returncode)
if sys.argv[1] == "serve":
    environment.pop("WORKROOM_URL")
    environment |= {{"WORKROOM_DATA": tempfile.mkdtemp(dir="/tmp", prefix="workroom-test-"), "WORKROOM_PORT": "0"}}
    os.chmod(environment["WORKROOM_DATA"], 0o711)
process = subprocess.Popen(words, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
for line in process.stdout:
    print(line, end="", flush=True)
    if re.search(r"listens at|offers|process(es)? runs?|process(es)? for\\b", line):
        process.send_signal(signal.SIGTERM)
        break
print(process.stdout.read())
code = process.wait(60)
sys.exit(0 if code == -signal.SIGTERM else code)
"""

_OTHER_MACHINES = "needs machines, accounts or services that a test has not; run_deployed.py runs the files of deploy/"
_OWN_TEST = "has a test of its own"
NOT_RUN: dict[tuple[str, int], str] = {
    ("README.md", 0): "`make demo` in a fresh clone is test_fresh_clone.py",
    ("README.md", 1): "an install from the package index is scripts/try_wheel.py",
    ("CONTRIBUTING.md", 0): "runs this test",
    ("docs/howto/celery.md", 0): f"a broker: {_OWN_TEST}",
    ("docs/howto/celery.md", 1): f"a broker: {_OWN_TEST}",
    ("docs/howto/celery.md", 2): f"a broker: {_OWN_TEST}",
    ("docs/howto/celery.md", 3): "a program of others, Flower",
    ("docs/howto/containers.md", 0): _OTHER_MACHINES,
    ("docs/howto/containers.md", 1): _OTHER_MACHINES,
    ("docs/howto/containers.md", 2): _OTHER_MACHINES,
    ("docs/howto/containers.md", 3): _OTHER_MACHINES,
    ("docs/howto/external_postgresql.md", 1): f"PgBouncer: {_OWN_TEST}",
    ("docs/howto/gpu_worker.md", 1): "four workers in the background, for ever",
    ("docs/howto/notebook.md", 0): "asks for a password",
    ("docs/howto/profiles.md", 0): f"functions with two versions and a profile: {_OWN_TEST}",
    ("docs/howto/reverse_proxy.md", 0): f"Caddy: {_OWN_TEST}",
    ("docs/howto/run_a_server.md", 1): "asks for a password",
    ("docs/howto/several_servers.md", 1): f"Redis: {_OWN_TEST}",
    ("docs/howto/sign_in.md", 0): f"a certificate: {_OWN_TEST}",
    ("docs/howto/sign_in.md", 1): f"a certificate: {_OWN_TEST}",
    ("docs/howto/slurm.md", 0): f"SLURM: {_OWN_TEST}",
    ("docs/howto/systemd.md", 0): _OTHER_MACHINES,
    ("docs/howto/upgrade.md", 0): _OTHER_MACHINES,
    ("docs/howto/upgrade.md", 1): f"replaces the data of a stopped server: {_OWN_TEST}",
    ("docs/howto/backup.md", 1): f"a backup of another day: {_OWN_TEST}",
    ("docs/howto/backup.md", 2): f"a backup of another day: {_OWN_TEST}",
}


def replaced(text: str, server: LiveServer, database: str, folder: Path) -> str:
    """The block with the addresses, folders and accounts of this test in place of those of the pages."""
    for old, new in (
        ("https://workroom.example.org", server.url),
        ("https://server.example.org", server.url),
        ("http://server.example.org:8686", server.url),
        ("http://127.0.0.1:8686", server.url),
        ("postgresql://workroom:…@db.example.org/workroom", database),
        ("postgresql://user@host/workroom", database),
        ("WORKROOM_PASSWORD=…", f"WORKROOM_PASSWORD='{ADMIN_PASSWORD}'"),
        ("METRICS_TOKEN=…", "METRICS_TOKEN=a-token-of-the-tests"),
        ("WORKROOM_USER=ada", "WORKROOM_USER=admin"),
        ("WORKROOM_USER=cluster", "WORKROOM_USER=admin"),
        ("--user ada", "--user admin"),
        ("--host 0.0.0.0 --port 80 ", ""),
        ("--workers 16", "--workers 2"),
        ("/backup/", f"{folder}/"),
        ("/srv/", f"{folder}/"),
    ):
        text = text.replace(old, new)
    return text


def environment(server: LiveServer, folder: Path) -> dict[str, str]:
    """That of a person who is signed in as admin, on the machine of the server."""
    programs = folder / "bin"
    programs.mkdir()
    (programs / "workroom").write_text(COMMAND.format(python=sys.executable))
    (programs / "workroom").chmod(0o755)
    kept = {name: value for name, value in os.environ.items() if not name.startswith("WORKROOM_")}
    return kept | {
        "PATH": os.pathsep.join([str(programs), str(Path(sys.executable).parent), os.environ["PATH"]]),
        "HOME": str(folder),
        "URL": server.url,
        "WORKROOM_URL": server.url,
        "WORKROOM_DATA": str(server.data),
        "WORKROOM_USER": "admin",
        "WORKROOM_PASSWORD": ADMIN_PASSWORD,
        "BROWSER": "true",
        "PYTHONUNBUFFERED": "1",
    }
