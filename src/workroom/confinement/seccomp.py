"""System calls by seccomp: this process, and what it starts, cannot open sockets, trace others or change namespaces.

The filter names what is refused; all else is left alone, because libraries use hundreds of calls. A refused call fails
with "permission denied", or "not implemented" where libraries then fall back to another call. Landlock is not enough:
it knows no Unix sockets, through which PostgreSQL listens, and no UDP.
"""

from __future__ import annotations

import ctypes
import errno
import platform
import struct
from types import MappingProxyType

from workroom.confinement.linux import (
    PR_SET_NO_NEW_PRIVS,
    PR_SET_SECCOMP,
    SECCOMP_MODE_FILTER,
    is_linux,
    prctl,
)

_LOAD, _JUMP_EQUAL, _JUMP_AT_LEAST, _JUMP_BITS, _RETURN, _AND = 0x20, 0x15, 0x35, 0x45, 0x06, 0x54
_ALLOW, _ERROR, _KILL = 0x7FFF0000, 0x00050000, 0x80000000
_NUMBER, _ARCHITECTURE, _FIRST, _SECOND, _THIRD, _FOURTH = 0, 4, 16, 24, 32, 40  # offsets in struct seccomp_data
_AF_UNIX, _AF_INET, _AF_INET6 = 1, 2, 10
_SOCK_TYPE, _SOCK_STREAM = 0xF, 1
_MSG_FASTOPEN = 0x20000000
_X32 = 0x40000000  # a second set of numbers on x86-64
_ARCHITECTURES = MappingProxyType({"x86_64": 0xC000003E, "aarch64": 0xC00000B7})

# Numbers of the calls, on x86-64 and on ARM64.
_SOCKET, _CONNECT, _SOCKETPAIR = (41, 198), (42, 203), (53, 199)
_SENDTO, _SENDMSG, _SENDMMSG = (44, 206), (46, 211), (307, 269)
_OF_SOCKETS = (_CONNECT, (49, 200), (50, 201))  # connect, bind, listen
_REFUSED = (
    (101, 117),  # ptrace
    (310, 270),  # process_vm_readv
    (311, 271),  # process_vm_writev
    (438, 438),  # pidfd_getfd
    (298, 241),  # perf_event_open
    (321, 280),  # bpf
    (323, 282),  # userfaultfd
    (248, 217),  # add_key
    (249, 218),  # request_key
    (250, 219),  # keyctl
    (272, 97),  # unshare
    (308, 268),  # setns
    (165, 40),  # mount
    (429, 429),  # move_mount
    (155, 41),  # pivot_root
    (161, 51),  # chroot
    (304, 265),  # open_by_handle_at
)
# Their requests would be carried out by the kernel itself, past this filter.
_NOT_IMPLEMENTED = ((425, 425), (426, 426), (427, 427))  # io_uring_setup, io_uring_enter, io_uring_register

_Program = list[tuple[int, int, int, int]]


def is_supported() -> bool:
    """Whether the filter is known for this machine, and the kernel takes filters."""
    if not is_linux or platform.machine() not in _ARCHITECTURES or struct.calcsize("P") != 8:
        return False
    try:
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER)  # without a filter: EFAULT if the kernel takes filters
    except OSError as error:
        return error.errno == errno.EFAULT
    return True


def restrict(*, network: bool) -> None:
    """Set the filter for this thread and all that it starts. `network` leaves sockets of the Internet as they are."""
    program = _program(platform.machine(), network=network)
    code = b"".join(struct.pack("=HBBI", *step) for step in program)
    steps = ctypes.create_string_buffer(code, len(code))
    header = ctypes.create_string_buffer(struct.pack("@HP", len(program), ctypes.addressof(steps)))
    prctl(PR_SET_NO_NEW_PRIVS, 1)
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, header)


def _program(machine: str, *, network: bool) -> _Program:
    column = list(_ARCHITECTURES).index(machine)
    refuse, missing = _ERROR | errno.EACCES, _ERROR | errno.ENOSYS
    program: _Program = [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_JUMP_EQUAL, 1, 0, _ARCHITECTURES[machine]),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _NUMBER),
    ]
    if machine == "x86_64":
        program += [(_JUMP_AT_LEAST, 0, 1, _X32), (_RETURN, 0, 0, missing)]
    for call in _REFUSED:
        program += [(_JUMP_EQUAL, 0, 1, call[column]), (_RETURN, 0, 0, refuse)]
    for call in _NOT_IMPLEMENTED:
        program += [(_JUMP_EQUAL, 0, 1, call[column]), (_RETURN, 0, 0, missing)]
    if network:
        program += _if_call(_SOCKET[column], _unless_argument(_FIRST, (_AF_INET, _AF_INET6), refuse))
    else:
        for call in (_SOCKET, *_OF_SOCKETS):
            program += [(_JUMP_EQUAL, 0, 1, call[column]), (_RETURN, 0, 0, refuse)]
        # A connection can also be opened by the first bytes that are sent.
        for call, flags in ((_SENDTO, _FOURTH), (_SENDMSG, _THIRD), (_SENDMMSG, _FOURTH)):
            has_flag: _Program = [(_LOAD, 0, 0, flags), (_JUMP_BITS, 0, 1, _MSG_FASTOPEN), (_RETURN, 0, 0, refuse)]
            program += _if_call(call[column], has_flag)
    # A pair of datagram sockets could send to any other; the event loop needs a pair of streams.
    program += _if_call(
        _SOCKETPAIR[column],
        [
            *_unless_argument(_FIRST, (_AF_UNIX,), refuse),
            (_LOAD, 0, 0, _SECOND),
            (_AND, 0, 0, _SOCK_TYPE),
            (_JUMP_EQUAL, 1, 0, _SOCK_STREAM),
            (_RETURN, 0, 0, refuse),
        ],
    )
    return [*program, (_RETURN, 0, 0, _ALLOW)]


def _if_call(number: int, then: _Program) -> _Program:
    """Run these steps for one call, and allow it if they did not return."""
    return [(_JUMP_EQUAL, 0, len(then) + 1, number), *then, (_RETURN, 0, 0, _ALLOW)]


def _unless_argument(offset: int, values: tuple[int, ...], answer: int) -> _Program:
    """Return the answer unless the argument is one of the values."""
    steps: _Program = [(_LOAD, 0, 0, offset)]
    for index, value in enumerate(values):
        steps.append((_JUMP_EQUAL, len(values) - index, 0, value))
    return [*steps, (_RETURN, 0, 0, answer)]
