"""Gives up the rights of root: a server that runs as root must not lend them to a job."""

from __future__ import annotations

import ctypes
import os
from contextlib import suppress

from workroom.confinement.linux import is_linux, syscall

_CAPSET = {"x86_64": 126, "aarch64": 91}
_VERSION_3 = 0x20080522


def drop() -> None:
    """Give up all capabilities of this thread and of what it starts. Without any, this changes nothing."""
    number = _CAPSET.get(os.uname().machine)
    if not is_linux or number is None:
        return
    header = (ctypes.c_uint32 * 2)(_VERSION_3, 0)
    nothing = (ctypes.c_uint32 * 6)()
    with suppress(OSError):
        syscall(number, ctypes.byref(header), ctypes.byref(nothing))
