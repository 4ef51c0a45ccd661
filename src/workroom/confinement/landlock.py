"""File access by Landlock: this process, and what it starts, can open only the paths of its rules.

Landlock is in Linux since 5.13, if the kernel was started with it. Newer versions of its interface (ABI) know more:

    1  files and folders     2  moves between folders     3  truncation     4  TCP     5  ioctl of devices
    6  signals and abstract sockets to processes outside

Each right that the kernel knows is taken away; the rules then give some back for paths.
"""

from __future__ import annotations

import ctypes
import errno
import os
from collections.abc import Iterable
from contextlib import suppress

from workroom.confinement.linux import PR_SET_NO_NEW_PRIVS, is_linux, prctl, syscall

# The same numbers on all architectures.
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_VERSION_FLAG = 1
_PATH_BENEATH = 1

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_TRUNCATE, _IOCTL_DEV = 1 << 14, 1 << 15
_BY_ABI = {1: (1 << 13) - 1, 2: 1 << 13, 3: _TRUNCATE, 5: _IOCTL_DEV}
_OF_FILES = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _IOCTL_DEV  # the others are for folders only
READ = _EXECUTE | _READ_FILE | _READ_DIR
DEVICE = _READ_FILE | _WRITE_FILE | _IOCTL_DEV
ALL = (1 << 16) - 1
_TCP_ABI, _SCOPE_ABI = 4, 6
_TCP = 3  # bind and connect
_SCOPES = 3  # abstract sockets and signals


class _Ruleset(ctypes.Structure):
    _fields_ = (("fs", ctypes.c_uint64), ("net", ctypes.c_uint64), ("scoped", ctypes.c_uint64))


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _layout_ = "ms"
    _fields_ = (("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32))


def abi() -> int:
    """The version of Landlock in this kernel; 0 without it."""
    if not is_linux:
        return 0
    try:
        return syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(_VERSION_FLAG))
    except OSError:
        return 0


def knows_tcp(version: int) -> bool:
    return version >= _TCP_ABI


def restrict(rules: Iterable[tuple[str, int]], *, tcp: bool, version: int | None = None) -> None:
    """Restrict this thread, and the threads and processes that it starts, to these paths with these rights.

    `tcp` leaves TCP as it is. A path that does not exist gets no rule. `version` restricts as an older kernel would.
    Raises OSError if the kernel cannot do it.
    """
    found = abi() if version is None else min(version, abi())
    if found < 1:
        raise OSError(errno.EOPNOTSUPP, "the kernel has no Landlock")
    handled = 0
    for since, rights in _BY_ABI.items():
        handled |= rights if found >= since else 0
    attributes = _Ruleset(handled, _TCP if knows_tcp(found) and not tcp else 0, _SCOPES if found >= _SCOPE_ABI else 0)
    # A kernel refuses a longer structure only if the part that it does not know is not zero.
    ruleset = syscall(
        _CREATE_RULESET, ctypes.byref(attributes), ctypes.c_size_t(ctypes.sizeof(attributes)), ctypes.c_uint32(0)
    )
    try:
        for path, rights in rules:
            _add(ruleset, path, rights & handled)
        prctl(PR_SET_NO_NEW_PRIVS, 1)
        syscall(_RESTRICT_SELF, ctypes.c_int(ruleset), ctypes.c_uint32(0))
    finally:
        os.close(ruleset)


def _add(ruleset: int, path: str, rights: int) -> None:
    with suppress(FileNotFoundError, NotADirectoryError, PermissionError):
        opened = os.open(path, os.O_PATH | os.O_CLOEXEC)
        try:
            if not os.path.isdir(path):  # noqa: PTH112 - pathlib is not imported this early
                rights &= _OF_FILES
            rule = _PathBeneath(rights, opened)
            syscall(
                _ADD_RULE, ctypes.c_int(ruleset), ctypes.c_int(_PATH_BENEATH), ctypes.byref(rule), ctypes.c_uint32(0)
            )
        finally:
            os.close(opened)
