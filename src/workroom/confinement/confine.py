"""Applies a policy to this process."""

from __future__ import annotations

import os
import sys

from workroom.confinement import bubblewrap, drop_capabilities, landlock, seccomp
from workroom.confinement.linux import PR_SET_NO_NEW_PRIVS, is_linux, prctl
from workroom.confinement.policy import DEVICES, SYSTEM, Policy


class NotConfined(Exception):
    """Confinement is required, and this machine offers none."""


def confine(policy: Policy, folder: str) -> None:
    """Restrict this process for the rest of its life to its folder and the paths of the policy.

    It must be called before the first thread starts: Landlock restricts the thread that asks for it, and what that
    thread starts. Without Landlock the program is started once more within bubblewrap, if there is one.
    """
    if policy.mode == "off":
        return
    files = landlock.abi() > 0 or bubblewrap.is_inside() or bubblewrap.works()
    if policy.mode == "required" and not (files and seccomp.is_supported()):
        raise NotConfined(
            "Jobs cannot be confined on this machine, and the setting pool_confine requires it. `workroom doctor` says "
            "what is missing."
        )
    if not is_linux:
        return
    if bubblewrap.needed() and not bubblewrap.is_inside():
        program = bubblewrap.command(policy, folder, [sys.executable, *sys.orig_argv[1:]])
        os.execv(program[0], program)  # noqa: S606 - this program once more, in a file system of its own
    prctl(PR_SET_NO_NEW_PRIVS, 1)
    if landlock.abi() > 0:
        landlock.restrict(_rules(policy, folder), tcp=policy.network)
    if seccomp.is_supported():
        seccomp.restrict(network=policy.network)
    drop_capabilities.drop()


def _rules(policy: Policy, folder: str) -> list[tuple[str, int]]:
    own = f"/proc/{os.getpid()}"
    return [
        *((path, landlock.READ) for path in (*SYSTEM, *policy.readable)),
        *((path, landlock.DEVICE) for path in DEVICES),
        *((path, landlock.ALL) for path in (folder, *policy.writable)),
        (f"{own}/statm", landlock.READ),  # how much memory it uses
        (f"{own}/status", landlock.READ),
    ]
