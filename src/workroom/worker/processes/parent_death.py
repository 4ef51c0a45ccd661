"""Ends a process with its parent, and names the exit codes that tell the parent not to restart it."""

from __future__ import annotations

import ctypes
import os
import signal
import sys

# Exit codes after which the parent must not restart the child: it would end the same way.
NOTHING_TO_DO, CANNOT_LOAD = 64, 78
_PR_SET_PDEATHSIG = 1


def die_with_parent() -> None:
    """Have the kernel kill this process when its parent dies (Linux only; elsewhere the end of a pipe is the sign).

    The kernel watches the thread that started this process, so that thread must live as long as the process.
    """
    if not sys.platform.startswith("linux"):
        return
    parent = os.getppid()
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:  # the parent died before the call
        os._exit(1)
