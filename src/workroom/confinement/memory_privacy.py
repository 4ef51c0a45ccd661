"""Keeps other processes of the same account from reading the memory and the environment of this one."""

from __future__ import annotations

from contextlib import suppress

from workroom.confinement.linux import PR_SET_DUMPABLE, is_linux, prctl


def protect_memory() -> None:
    """Close `/proc/<pid>/environ`, `mem` and the like to other processes, debuggers included; no core dumps either.

    Programs that this process starts are not affected: the kernel resets it when a program starts. Root can still
    read everything.
    """
    if is_linux:
        with suppress(OSError):
            prctl(PR_SET_DUMPABLE, 0)
