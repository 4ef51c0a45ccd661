"""System calls and constants of Linux that Python has no functions for."""

from __future__ import annotations

import ctypes
import os
import sys

PR_SET_DUMPABLE = 4
PR_SET_NO_NEW_PRIVS = 38
PR_SET_SECCOMP = 22
SECCOMP_MODE_FILTER = 2

is_linux = sys.platform.startswith("linux")
_libc = ctypes.CDLL(None, use_errno=True) if is_linux else None


def prctl(option: int, value: int, pointer: object = None) -> None:
    """Call prctl; raises OSError."""
    if _libc is None:
        raise OSError(0, "prctl exists on Linux only")
    argument = ctypes.c_ulong(0) if pointer is None else pointer
    if _libc.prctl(option, ctypes.c_ulong(value), argument, ctypes.c_ulong(0), ctypes.c_ulong(0)) != 0:
        raise _last_error("prctl")


def syscall(number: int, *arguments: object) -> int:
    """Call the kernel; raises OSError."""
    if _libc is None:
        raise OSError(0, "system calls by number are for Linux only")
    result: int = _libc.syscall(ctypes.c_long(number), *arguments)
    if result < 0:
        raise _last_error(f"system call {number}")
    return result


def _last_error(what: str) -> OSError:
    number = ctypes.get_errno()
    return OSError(number, f"{what}: {os.strerror(number)}")
