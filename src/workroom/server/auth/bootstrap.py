"""Secrets made at the first start and kept in the data folder, for the owner's eyes only."""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Callable
from pathlib import Path

from workroom.actions.accounts.accounts import create_account, has_admin
from workroom.actions.engine import Engine
from workroom.domain.errors import DataFolderUnusable, NameTaken
from workroom.server.auth.passwords import hashed, random_password
from workroom.server.settings import Settings

ADMIN = "admin"
ADMIN_PASSWORD_FILE = "admin-password"  # noqa: S105 - a file's name
SECRET_FILE = "secret-key"  # noqa: S105 - likewise


async def ensure_admin(engine: Engine, settings: Settings, data: Path) -> str | None:
    """Make the first admin, where there is none; the password, if a random one was made for it."""
    if await has_admin(engine):
        return None
    # The password is kept before the account exists: a start that is cut short here is simply taken up again.
    password = settings.admin_password or load_or_create_secret(data / ADMIN_PASSWORD_FILE, random_password)
    try:
        await create_account(engine, actor=None, name=ADMIN, role="admin", password_hash=await hashed(password))
    except NameTaken:
        if await has_admin(engine):  # another server, starting at the same time, was quicker
            return None
        raise
    return None if settings.admin_password else password


def signing_secret(settings: Settings, data: Path) -> str:
    """What tokens are signed with: given, or made at the first start and kept."""
    return settings.secret or load_or_create_secret(data / SECRET_FILE, lambda: secrets.token_hex(32))


def load_or_create_secret(path: Path, make: Callable[[], str]) -> str:
    """The secret in a file that only its owner can read; made when there is none."""
    if not path.exists():
        _write_once(path, make())
    if path.stat().st_mode & 0o077:
        raise DataFolderUnusable(f"{path} can be read by others, and it holds a secret. Run `chmod 600 {path}`.")
    secret = path.read_text().strip()
    if not secret:
        raise DataFolderUnusable(f"{path} is empty, and should hold a secret. Remove it to have a new one made.")
    return secret


def _write_once(path: Path, secret: str) -> None:
    """Whole or not at all, and never over another's: of two servers starting together both use the first one's."""
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
