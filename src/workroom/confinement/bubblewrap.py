"""The command that starts a process within bubblewrap, for kernels without Landlock.

bubblewrap builds a file system that has only the given paths, in namespaces of its own. It needs the program `bwrap`
and a kernel that lets users make namespaces.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from functools import cache

from workroom.confinement import landlock
from workroom.confinement.linux import is_linux
from workroom.confinement.policy import SYSTEM, Policy

_MARK = "WORKROOM_IN_BUBBLEWRAP"
_WITH_OWN_PROC = "/proc/"


def is_inside() -> bool:
    """Whether this process was started with `command`."""
    return os.environ.get(_MARK) == "1"


def needed() -> bool:
    """Whether Landlock is missing, and bubblewrap works."""
    return is_linux and landlock.abi() == 0 and works()


@cache
def works() -> bool:
    """Whether bubblewrap is installed and may make namespaces."""
    program = shutil.which("bwrap")
    if program is None:
        return False
    try:
        trial = [program, "--unshare-all", "--ro-bind", "/", "/", "true"]
        return subprocess.run(trial, capture_output=True, timeout=10, check=False).returncode == 0  # noqa: S603
    except (OSError, subprocess.TimeoutExpired):
        return False


def command(policy: Policy, folder: str, program: Sequence[str]) -> list[str]:
    """The program with its arguments, within bubblewrap. Open descriptors that it inherits stay open."""
    wrapped = [shutil.which("bwrap") or "bwrap", "--unshare-all", "--die-with-parent", "--setenv", _MARK, "1"]
    if policy.network:
        wrapped.append("--share-net")
    wrapped += ["--dev", "/dev", "--proc", "/proc"]
    for path in (*SYSTEM, *policy.readable):
        if os.path.islink(path) and path not in policy.readable:  # noqa: PTH114 - strings throughout
            wrapped += ["--symlink", os.readlink(path), path]  # noqa: PTH115
        elif not path.startswith(_WITH_OWN_PROC):
            wrapped += ["--ro-bind-try", path, path]
    for path in (folder, *policy.writable):
        wrapped += ["--bind", path, path]
    return [*wrapped, "--chdir", folder, "--", *program]
