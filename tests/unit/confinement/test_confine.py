"""A confined process opens Python, its libraries and its folder; nothing else, and no sockets."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.canary_files import MARKS, canary_files, write_canary, write_hdf5_canary

from workroom.confinement import landlock, seccomp
from workroom.confinement.policy import Policy, python_paths

ROOT = Path(__file__).parents[3]
pytestmark = pytest.mark.skipif(landlock.abi() == 0, reason="the kernel has no Landlock")

# Runs each attempt in a confined process, and prints its result or its error, as they come.
_PROGRAM = """
import json, os, sys
from workroom.confinement import landlock
start = json.loads(sys.argv[1])
if start["abi"] is not None:
    own = landlock.restrict
    landlock.abi = lambda found=landlock.abi(): min(found, start["abi"])
from workroom.confinement.confine import confine
from workroom.confinement.policy import Policy
confine(Policy.from_message(start["policy"]), os.getcwd())
for attempt in start["attempts"]:
    try:
        print(repr(eval(attempt)), flush=True)
    except BaseException as error:
        print(type(error).__name__, error, flush=True)
"""


def attempts(folder: Path, *code: str, policy: Policy | None = None, abi: int | None = None) -> list[str]:
    """What a confined process gets for each expression."""
    policy = policy or Policy(readable=(*python_paths(), str(ROOT / "src")))
    start = {"policy": policy.as_message(), "attempts": code, "abi": abi}
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "TMPDIR": str(folder), "PYTHONPATH": str(ROOT)}
    ended = run([sys.executable, "-c", _PROGRAM, json.dumps(start)], folder, environment)
    lines = ended.stdout.splitlines()
    assert len(lines) == len(code), ended.stdout + ended.stderr
    return lines


def run(command: Sequence[str], folder: Path, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, errors="replace", timeout=60, check=False
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "own"
    made.mkdir()
    return made


@pytest.mark.parametrize("abi", [1, 2, 3, 4, 5, 6, None])
def test_files_outside_cannot_be_opened_with_any_version_of_landlock(
    tmp_path: Path, folder: Path, abi: int | None
) -> None:
    canary = write_canary(tmp_path / "secret-key")
    seen = attempts(
        folder,
        f"open({str(canary)!r}).read()",
        f"open({str(canary)!r}, 'w')",
        f"os.listdir({str(tmp_path)!r})",
        f"os.remove({str(canary)!r})",
        f"os.link({str(canary)!r}, 'link')",
        f"os.symlink({str(canary)!r}, 'link') or open('link').read()",
        f"open('/proc/{os.getpid()}/environ').read()",
        "open('/proc/self/environ').read()",
        "open('/etc/passwd').read()",
        f"__import__('subprocess').run(['cat', {str(canary)!r}], capture_output=True).stdout",
        "open('mine', 'w').write('x') and open('mine').read()",
        # All libraries with the newest version alone, since it takes a while.
        f"{'__import__(`ase.io`) and __import__(`h5py`) and' if abi is None else ''} 'imported'".replace("`", "'"),
        "__import__('subprocess').run(['true']).returncode",
        "os.open('/dev/null', os.O_RDWR) > 0",
        abi=abi,
    )
    refused = seen[:9]
    # Version 1 refuses a link between folders with another error.
    assert all(line.startswith(("PermissionError", "OSError")) for line in refused), refused
    assert seen[9:] == ["b''", "'x'", "'imported'", "0", "True"]
    assert canary.exists() and not any(mark.decode(errors="ignore") in "".join(seen) for mark in MARKS)


def test_no_socket_of_any_family_can_be_opened(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)  # the path of a socket must be short
    with socket.socket(socket.AF_UNIX) as unix, socket.create_server(("127.0.0.1", 0)) as tcp:
        unix.bind("postgres")  # even in its own folder
        unix.listen()
        port = tcp.getsockname()[1]
        seen = attempts(
            folder,
            "__import__('socket').socket(__import__('socket').AF_UNIX).connect('postgres')",
            f"__import__('socket').create_connection(('127.0.0.1', {port}))",
            f"__import__('socket').socket(2, 2).sendto(b'x', ('127.0.0.1', {port}))",
            "__import__('socket').socket(16, 3)",
            "__import__('socket').socketpair(1, 2)",
            "len(__import__('socket').socketpair())",
            "__import__('asyncio').run(__import__('asyncio').sleep(0, 'an event loop'))",
            "__import__('uvloop').new_event_loop().run_until_complete(__import__('asyncio').sleep(0, 'another'))",
        )
    assert all(line.startswith("PermissionError") for line in seen[:5]), seen
    assert seen[5:] == ["2", "'an event loop'", "'another'"]


def test_a_connection_that_was_handed_over_cannot_be_turned_to_another_address(folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_server(("127.0.0.1", 0)) as other:
        code = (
            "import os, sys, socket, json\n"
            "from workroom.confinement.confine import confine\n"
            "from workroom.confinement.policy import Policy\n"
            "handed = socket.create_connection(('127.0.0.1', int(sys.argv[1])))\n"
            "confine(Policy.from_message(json.loads(sys.argv[3])), os.getcwd())\n"
            "handed.sendall(b'hello')\n"
            "for turn in (lambda: handed.connect(('127.0.0.1', int(sys.argv[2]))),\n"
            "             lambda: handed.sendto(b'x', 0x20000000, ('127.0.0.1', int(sys.argv[2])))):\n"
            "    try: print(turn())\n"
            "    except OSError as error: print(type(error).__name__)\n"
        )
        policy = json.dumps(Policy(readable=(*python_paths(), str(ROOT / "src"))).as_message())
        ports = [str(one.getsockname()[1]) for one in (server, other)]
        ended = run([sys.executable, "-c", code, *ports, policy], folder, {"PATH": os.environ["PATH"]})
        assert ended.stdout.split() == ["PermissionError"] * 2, ended.stdout + ended.stderr
        accepted, _ = server.accept()
        with accepted:
            assert accepted.recv(5) == b"hello"


def test_internet_sockets_can_be_allowed_without_unix_sockets(folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as tcp:
        tcp_attempt = f"__import__('socket').create_connection(('127.0.0.1', {tcp.getsockname()[1]})).send(b'x')"
        policy = Policy(network=True, readable=(*python_paths(), str(ROOT / "src")))
        seen = attempts(folder, tcp_attempt, "__import__('socket').socket(1)", policy=policy)
    assert seen[0] == "1" and seen[1].startswith("PermissionError")


def test_other_processes_can_be_neither_traced_nor_signalled(folder: Path) -> None:
    libc = "__import__('ctypes').CDLL(None, use_errno=True)"
    with subprocess.Popen(["sleep", "60"]) as other:
        try:
            seen = attempts(
                folder,
                f"{libc}.ptrace(16, {other.pid}, 0, 0)",
                f"os.kill({other.pid}, 9)",
                f"{libc}.unshare(0x10000000)",
                "open('/proc/self/status').read().split('NoNewPrivs:')[1].split()[0]",
                "open('/proc/self/status').read().split('CapEff:')[1].split()[0].strip('0')",
                "open('/proc/self/status').read().split('Seccomp:')[1].split()[0]",
            )
            assert other.poll() is None
        finally:
            other.kill()
    assert seen[0] == seen[2] == "-1" and seen[3:] == ["'1'", "''", "'2'"]
    assert seen[1].startswith("PermissionError") or landlock.abi() < 6


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed")
def test_without_landlock_the_program_starts_once_more_within_bubblewrap(tmp_path: Path, folder: Path) -> None:
    canary = write_canary(tmp_path / "secret-key")
    seen = attempts(
        folder,
        f"open({str(canary)!r}).read()",
        f"open('/proc/{os.getpid()}/environ').read()",
        "open('mine', 'w').write('x') and open('mine').read()",
        "__import__('ase.io') and 'imported'",
        "__import__('socket').socket(1)",
        abi=0,
    )
    assert seen[0].startswith("FileNotFoundError") and "CANARY" not in seen[0]
    assert seen[1].startswith(("FileNotFoundError", "PermissionError"))
    assert seen[2:4] == ["'x'", "'imported'"] and seen[4].startswith("PermissionError")
    assert (folder / "mine").read_text() == "x"


def test_where_confinement_is_required_and_missing_nothing_runs(folder: Path) -> None:
    environment = {"PATH": "", "HOME": str(folder)}
    start: dict[str, Any] = {"policy": Policy("required").as_message(), "attempts": ["1"], "abi": 0}
    ended = run([sys.executable, "-c", _PROGRAM, json.dumps(start)], folder, environment)
    assert ended.returncode != 0 and ended.stdout == ""
    assert "Jobs cannot be confined on this machine" in ended.stderr and "workroom doctor" in ended.stderr


# All readers of ASE, with nothing but the confinement between them and the canary; errors are printed as they are.
_READ_ALL = """
import os, sys, json, signal
from pathlib import Path
from workroom.confinement.confine import confine
from workroom.confinement.policy import Policy
confine(Policy.from_message(json.loads(sys.argv[1])), os.getcwd())
import warnings
import numpy as np
from ase.io import formats
from workroom.atoms.files import h5md, reading
h5md.check_self_contained = lambda root: None
def alarm(*_): raise TimeoutError
signal.signal(signal.SIGALRM, alarm)
for upload in sorted(Path.cwd().glob("upload-*")):
    _, _, format = upload.name.split("-", 2)
    signal.alarm(2)
    try:
        for share, atoms in reading._frames(upload, None if format == "None" else format):
            sys.stdout.buffer.write(atoms.positions.tobytes() + np.asarray(atoms.cell).tobytes())
            print(atoms.info, atoms.calc and atoms.calc.results, flush=True)
            if atoms.calc is not None:
                sys.stdout.buffer.write(np.asarray(atoms.calc.results.get("energy", 0.0)).tobytes())
    except BaseException as error:
        print(type(error), error, flush=True)
    finally:
        signal.alarm(0)
print("the end")
"""


def read_all(canaries: Sequence[Path], folder: Path, policy: Policy) -> bytes:
    """All that the readers tell of the canaries, with no list of formats and no check of HDF5."""
    made = folder.parent / "made"
    made.mkdir(exist_ok=True)
    uploads = [upload for canary in canaries for upload in canary_files(canary, made)]
    for number, upload in enumerate(uploads):
        if upload.format not in (None, "cp2k-restart"):  # a reader that does not end
            (folder / f"upload-{number}-{upload.format}").write_bytes(upload.content)
    command = [sys.executable, "-c", _READ_ALL, json.dumps(policy.as_message())]
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "TMPDIR": str(folder), "OMP_NUM_THREADS": "1"}
    ended = subprocess.run(command, cwd=folder, env=environment, capture_output=True, timeout=240, check=False)
    assert b"the end" in ended.stdout, ended.stderr
    return ended.stdout + ended.stderr


@pytest.mark.full
def test_by_confinement_alone_no_reader_gets_a_byte_of_a_canary(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a data folder, in the home folder, in an HDF5 file, and in the environment of another process."""
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "data").mkdir()
    files = [write_canary(tmp_path / "data" / "secret-key"), write_canary(tmp_path / ".netrc")]
    files.append(write_hdf5_canary(tmp_path / "other.h5"))
    policy = Policy(readable=(*python_paths(private=[tmp_path]), str(ROOT / "src")))
    environment = {"PATH": os.environ["PATH"], "WORKROOM_SECRET": MARKS[0].decode()}
    with subprocess.Popen(["sleep", "600"], env=environment) as server:
        try:
            seen = read_all([*files, Path(f"/proc/{server.pid}/environ")], folder, policy)
        finally:
            server.kill()
    assert not any(mark in seen for mark in MARKS)
    for file in (files[0], files[2]):  # the attempts are real: without confinement they succeed
        shutil.rmtree(folder)
        folder.mkdir()
        assert any(mark in read_all([file], folder, Policy("off")) for mark in MARKS)


def test_the_current_folder_is_not_opened_when_it_holds_the_home_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "home" / "data").mkdir(parents=True)
    (tmp_path / "code").mkdir()
    (tmp_path / "home" / "mine.py").touch()
    monkeypatch.setattr(sys, "path", [str(tmp_path), str(tmp_path / "home"), str(tmp_path / "code"), *sys.path])
    private = [tmp_path / "home", tmp_path / "home" / "data"]
    found = python_paths(private, [str(tmp_path / "home" / "mine.py"), "ase"])
    assert str(tmp_path / "code") in found and str(tmp_path / "home" / "mine.py") in found
    assert str(tmp_path) not in found and str(tmp_path / "home") not in found


def test_seccomp_is_known_to_work_here() -> None:
    assert seccomp.is_supported()
