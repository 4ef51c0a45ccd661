"""Creates the first admin and the signing secret at the first start. Secrets are files with mode 0600."""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Callable
from pathlib import Path

from workroom.actions.accounts.accounts import create_account, has_admin
from workroom.actions.engine import Engine
from workroom.domain.errors import DataFolderUnusable, NameTaken
from workroom.server.auth.passwords import hash_password, random_password
from workroom.server.settings import Settings

ADMIN = "admin"
ADMIN_PASSWORD_FILE = "admin-password"  # noqa: S105 - a file's name
SECRET_FILE = "secret-key"  # noqa: S105 - likewise


async def ensure_admin(engine: Engine, settings: Settings, data: Path) -> bool:
    """Create the first admin if there is none. Returns whether it has a new, generated password.

    The password is only in a file of the data folder: the output of a server often ends in a log that others read.
    """
    if await has_admin(engine):
        return False
    # The file is written before the account: if the process ends in between, the next start uses the same password.
    password = settings.admin_password or load_or_create_secret(data / ADMIN_PASSWORD_FILE, random_password)
    try:
        await create_account(engine, actor=None, name=ADMIN, role="admin", password_hash=await hash_password(password))
    except NameTaken:
        if await has_admin(engine):  # another server, started at the same time, created it
            return False
        raise
    return not settings.admin_password


def signing_secret(settings: Settings, data: Path) -> str:
    """The key that signs tokens: from the settings, or generated at the first start."""
    return settings.secret or load_or_create_secret(data / SECRET_FILE, lambda: secrets.token_hex(32))


def load_or_create_secret(path: Path, make: Callable[[], str]) -> str:
    """Read a secret from a file that only its owner can read. Creates the file if it is missing."""
    if not path.exists():
        _write_once(path, make())
    if path.stat().st_mode & 0o077:
        raise DataFolderUnusable(f"{path} is readable by other users, but holds a secret. Run `chmod 600 {path}`.")
    secret = path.read_text().strip()
    if not secret:
        raise DataFolderUnusable(f"{path} is empty. Remove it, and the next start creates a new secret.")
    return secret


def _write_once(path: Path, secret: str) -> None:
    """Create the file atomically, and never overwrite it: two servers that start together use the same secret."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "w") as file:
            file.write(secret + "\n")
            file.flush()
            os.fsync(file.fileno())
        with contextlib.suppress(FileExistsError):
            path.hardlink_to(draft)
    finally:
        draft.unlink()
