"""Between a process and the one that started it."""

from __future__ import annotations

import ctypes
import os
import signal
import sys

# Exit codes for a parent that starts its child again: another try would end the same way.
NOTHING_TO_DO, CANNOT_LOAD = 64, 78
_PR_SET_PDEATHSIG = 1


def die_with_parent() -> None:
    """At once, by the kernel's hand, where the kernel can (Linux); elsewhere the end of a pipe has to tell.

    Whoever starts a process that calls this must do so from a thread that lives as long as the process is to.
    """
    if not sys.platform.startswith("linux"):
        return
    parent = os.getppid()
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:  # it died just before
        os._exit(1)
