"""The account that runs PostgreSQL: the current one, unless it is root, which PostgreSQL refuses."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from workroom.logs import get_logger

log = get_logger(__name__)

SYSTEM_ACCOUNT = "workroom"

# The caller's environment must not affect the server: no PGDATA, no PGPORT, no locale.
CLEAN_ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C", "TZ": "UTC"}


@dataclass(frozen=True)
class Account:
    """The account of the server's processes."""

    name: str
    uid: int
    gid: int

    @property
    def is_ours(self) -> bool:
        return self.uid == os.geteuid()

    def can_enter(self, folder: Path) -> bool:
        """Tested with the kernel, because mode bits do not include ACLs."""
        return self.is_ours or self.run("/bin/sh", "-c", 'cd "$1"', "sh", str(folder)).returncode == 0

    def can_run(self, program: Path) -> bool:
        return (
            self.is_ours
            or self.run("/bin/sh", "-c", 'test -r "$1" && test -x "$1"', "sh", str(program)).returncode == 0
        )

    def give(self, path: Path) -> None:
        if not self.is_ours:
            os.chown(path, self.uid, self.gid, follow_symlinks=False)

    def run(self, *command: str, feed: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(  # noqa: S603 - every caller names a program of ours
            command,
            input=feed,
            capture_output=True,
            text=True,
            check=False,
            cwd="/",
            env=CLEAN_ENVIRONMENT,
            user=None if self.is_ours else self.uid,
            group=None if self.is_ours else self.gid,
            extra_groups=None if self.is_ours else [],
        )

    def launch(self, command: Sequence[str], *, stdin: int, output: IO[bytes]) -> subprocess.Popen[bytes]:
        """Start a process in a session of its own, so that Ctrl-C in the terminal reaches its owner first."""
        return subprocess.Popen(  # noqa: S603 - every caller names a program of ours
            command,
            stdin=stdin,
            stdout=output,
            stderr=output,
            cwd="/",
            env=CLEAN_ENVIRONMENT,
            start_new_session=True,
            user=None if self.is_ours else self.uid,
            group=None if self.is_ours else self.gid,
            extra_groups=None if self.is_ours else [],
        )


def account_for(cluster: Path) -> Account:
    """An existing cluster keeps the account it was made by; a new one gets ours or the system's."""
    if os.geteuid() != 0:
        return _account(pwd.getpwuid(os.geteuid()).pw_name) if _is_known(os.geteuid()) else _nameless()
    if cluster.exists() and (uid := cluster.stat().st_uid) != 0 and _is_known(uid):
        return _account(pwd.getpwuid(uid).pw_name)
    return _system_account()


def will_make_account() -> bool:
    """Whether the next start makes the system account. Lets other programs announce it."""
    return os.geteuid() == 0 and not _exists(SYSTEM_ACCOUNT) and _useradd() is not None


def _useradd() -> str | None:
    return shutil.which("useradd", path="/usr/sbin:/sbin:/usr/bin:/bin")


def _system_account() -> Account:
    if not _exists(SYSTEM_ACCOUNT) and (useradd := _useradd()):
        ours = Account("root", 0, 0)
        log.warning("creating the system account %s, because PostgreSQL refuses to run as root", SYSTEM_ACCOUNT)
        ours.run(useradd, "--system", "--user-group", "--no-create-home", "--home-dir", "/nonexistent",
                 "--shell", "/usr/sbin/nologin", SYSTEM_ACCOUNT)  # fmt: skip
    # Checked again instead of the exit code: two first starts may race for the same name.
    return _account(SYSTEM_ACCOUNT if _exists(SYSTEM_ACCOUNT) else "nobody")


def _account(name: str) -> Account:
    entry = pwd.getpwnam(name)
    return Account(entry.pw_name, entry.pw_uid, entry.pw_gid)


def _nameless() -> Account:
    """Containers often run under a bare number without a line in the password file."""
    return Account(str(os.geteuid()), os.geteuid(), os.getegid())


def _exists(name: str) -> bool:
    try:
        pwd.getpwnam(name)
    except KeyError:
        return False
    return True


def _is_known(uid: int) -> bool:
    try:
        pwd.getpwuid(uid)
    except KeyError:
        return False
    return True
