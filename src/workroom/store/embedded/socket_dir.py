"""The folder of the server's Unix socket; the server listens nowhere else."""

from __future__ import annotations

import tempfile
from pathlib import Path

from workroom.store.embedded.os_user import Account

LONGEST_SOCKET_FOLDER = 90  # the kernel takes 107 characters for the folder and the socket's own name


def make_socket_folder(account: Account, former: Path | None) -> Path:
    """A short path that only the server's account can enter, which makes connections without a password safe."""
    if former is not None:
        former.mkdir(mode=0o700, exist_ok=former.exists() and former.stat().st_uid == account.uid)
        folder = former
    else:
        parent = Path(tempfile.gettempdir())
        if len(str(parent)) > LONGEST_SOCKET_FOLDER - 20 or not account.can_enter(parent):
            parent = Path("/tmp")  # noqa: S108 - the folder below is made by mkdtemp
        folder = Path(tempfile.mkdtemp(prefix="workroom-", dir=parent))
    account.give(folder)
    return folder
