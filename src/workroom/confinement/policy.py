"""What a confined process may open: Python, its libraries, its own folder, and what the settings add."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal, Self

Mode = Literal["auto", "required", "off"]

# Shared libraries, programs, fonts, time zones, certificates: what packages of the system installed for all users.
SYSTEM = (
    "/usr", "/lib", "/lib32", "/lib64", "/bin", "/sbin", "/nix/store", "/etc/ld.so.cache", "/etc/ld.so.conf",
    "/etc/ld.so.conf.d", "/etc/localtime", "/etc/timezone", "/etc/fonts", "/etc/ssl", "/etc/pki",
    "/etc/ca-certificates", "/etc/mime.types", "/sys/devices/system/cpu", "/sys/fs/cgroup/cpu.max",
    "/sys/kernel/mm/transparent_hugepage", "/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/version",
    "/proc/sys/vm/overcommit_memory",
)  # fmt: skip
DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
_PACKAGE_FOLDERS = ("site-packages", "dist-packages")
_PARTS_OF_PREFIX = ("bin", "lib", "lib64", "share", "include", "etc", "ssl", "pyvenv.cfg")


@dataclass(frozen=True, slots=True)
class Policy:
    """The confinement of one process."""

    mode: Mode = "auto"  # off: none; required: the process ends where the machine offers none
    network: bool = False  # whether it may open Internet sockets of its own
    readable: tuple[str, ...] = ()  # besides SYSTEM
    writable: tuple[str, ...] = ()  # besides its own folder

    def as_message(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_message(cls, message: dict[str, Any]) -> Self:
        return cls(message["mode"], message["network"], tuple(message["readable"]), tuple(message["writable"]))


def python_paths(private: Iterable[Path] = (), modules: Sequence[str] = ()) -> tuple[str, ...]:
    """The folders of this interpreter, of installed packages, and of these modules.

    Other entries of the module search path, such as the current folder, are included unless they contain a private
    folder: a server that was started in the home folder must not open all of it to its jobs.
    """
    hidden = list(private)
    found: dict[str, None] = {}
    for prefix in (sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix):
        parts = _PARTS_OF_PREFIX if holds(Path(prefix), hidden) else ("",)
        found |= dict.fromkeys(str(Path(prefix, part)) for part in parts)
    found[str(Path(__file__).parents[1])] = None
    for entry in (*sys.path, *os.environ.get("LD_LIBRARY_PATH", "").split(os.pathsep)):
        folder = Path(entry or ".").resolve()
        is_packages = folder.name in _PACKAGE_FOLDERS
        if entry and folder.exists() and (is_packages or (hidden and not holds(folder, hidden))):
            found[str(folder)] = None
    found |= dict.fromkeys(os.environ[name] for name in ("SSL_CERT_FILE", "SSL_CERT_DIR") if os.environ.get(name))
    for name in modules:
        if path := _origin(name):
            folder = path.parent
            found[str(path if holds(folder, hidden) else folder)] = None
    return tuple(found)


def holds(folder: Path, private: Iterable[Path | str]) -> bool:
    """Whether a private folder is this one, or in it."""
    resolved = folder.resolve()
    return any(one == resolved or resolved in one.parents for one in (Path(given).resolve() for given in private))


def overlaps(folder: Path, private: Iterable[Path | str]) -> bool:
    """Whether one of both is in the other."""
    private = list(private)
    return holds(folder, private) or any(holds(Path(one), [folder]) for one in private)


def _origin(module: str) -> Path | None:
    """The file of a module, or the folder of its package."""
    if module.endswith(".py"):
        return Path(module).resolve()
    try:
        spec = find_spec(module.partition(".")[0])
    except (ImportError, ValueError):
        return None
    if spec is None or spec.origin is None:
        return None
    return Path(spec.origin).parent if spec.submodule_search_locations else Path(spec.origin)
