"""The folder of the server's Unix socket; the server listens nowhere else."""

from __future__ import annotations

import hashlib
import os
import stat
import tempfile
from pathlib import Path

from workroom.domain.errors import DataFolderUnusable
from workroom.store.embedded.os_user import Account

LONGEST_SOCKET_FOLDER = 90  # the kernel takes 107 characters for the folder and the socket's own name
_NAMES = 100


def make_socket_folder(account: Account, data: Path) -> Path:
    """A short path that only the server's account can enter, which makes connections without a password safe.

    A data folder has the same path at each start, so that pools that share its database find it again. Another user
    may have taken the name; then the next free one is used. For the owner of the data folder only.

    The /tmp of a unit of systemd is often its own. Its RuntimeDirectory is below /run, where commands from elsewhere
    reach the socket too.
    """
    parent = Path(os.environ.get("RUNTIME_DIRECTORY", "").partition(":")[0] or tempfile.gettempdir())
    if len(str(parent)) > LONGEST_SOCKET_FOLDER - 40 or not account.can_enter(parent):
        parent = Path("/tmp")  # noqa: S108 - `_take` refuses a folder that another user has made
    name = f"workroom-{account.uid}-{hashlib.sha256(str(data).encode()).hexdigest()[:12]}"
    for number in range(_NAMES):
        folder = parent / (f"{name}-{number}" if number else name)
        if _take(folder, account):
            # A killed server leaves its socket, and a lock file whose pid an unrelated process may have by now.
            for left in folder.glob(".s.PGSQL.*"):
                left.unlink()
            return folder
    raise DataFolderUnusable(f"Other users own all of {parent / name}*: remove them, or set TMPDIR to another folder.")


def _take(folder: Path, account: Account) -> bool:
    """Make the folder, or take over the one of an earlier start; False if it is not ours alone."""
    try:
        folder.mkdir(mode=0o700)
    except FileExistsError:
        found = folder.lstat()
        private = stat.S_ISDIR(found.st_mode) and not stat.S_IMODE(found.st_mode) & 0o077
        # A start that was cut short may have left a folder of root.
        if not private or found.st_uid not in (account.uid, os.geteuid()):
            return False
    account.give(folder)
    return True
