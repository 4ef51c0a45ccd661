"""Which mechanisms of confinement this machine has, and why others are missing."""

from __future__ import annotations

import platform
from dataclasses import dataclass

from workroom.confinement import bubblewrap, landlock, seccomp
from workroom.confinement.linux import is_linux


@dataclass(frozen=True, slots=True)
class Mechanism:
    """One mechanism: whether this machine has it, what it does, and how to get it."""

    name: str
    is_active: bool
    detail: str
    fix: str = ""


def mechanisms() -> list[Mechanism]:
    """How conversion and built-in jobs are confined on this machine."""
    return [_files(), _sockets()]


def _files() -> Mechanism:
    name = "confinement of files"
    if not is_linux:
        return Mechanism(name, False, f"none: {platform.system()} has no Landlock", _OTHER_SYSTEM)
    if found := landlock.abi():
        return Mechanism(name, True, f"Landlock (ABI {found}): jobs open only Python, its libraries and their folder")
    if bubblewrap.works():
        return Mechanism(name, True, "bubblewrap: jobs see only Python, its libraries and their folder")
    return Mechanism(
        name,
        False,
        f"none: the kernel ({platform.release()}) has no Landlock, and bubblewrap is not installed or may not be used",
        "use Linux 5.13 or newer with `landlock` in the list of the boot option lsm=, or install bubblewrap",
    )


def _sockets() -> Mechanism:
    name = "confinement of sockets"
    if seccomp.is_supported():
        return Mechanism(name, True, "seccomp: jobs open no sockets of their own")
    if not is_linux:
        return Mechanism(name, False, f"none: {platform.system()} has no seccomp", _OTHER_SYSTEM)
    detail = "Landlock alone, which knows TCP but no Unix sockets" if landlock.knows_tcp(landlock.abi()) else "none"
    return Mechanism(
        name,
        False,
        f"{detail}: there is no seccomp filter for {platform.machine()} on this kernel",
        "use a kernel with CONFIG_SECCOMP_FILTER on x86-64 or ARM64",
    )


_OTHER_SYSTEM = "run the server on Linux, or with --pool 0 and uploads by people you trust"
