"""The key of a guest: a secret that lets this user's programs sign in as the same guest again.

All keys are derived from one random secret in a file that only its owner can read, `workroom/guest-secret` below
XDG_STATE_HOME or ~/.local/state. Each server and each name has its own key, so a server cannot use its key elsewhere.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from contextlib import suppress
from functools import cache
from pathlib import Path

from workroom.client import discovery

_FILE = Path("workroom") / "guest-secret"


def guest_key(url: str | None, name: str) -> str:
    """The key of the guest `name` at a server. Servers on this machine, and a database (None), have one key."""
    origin = "local" if url is None or discovery.is_local(url) else discovery.server_origin(url)
    message = f"{origin}\n{name.lower()}".encode()
    return hmac.new(_secret(), message, hashlib.sha256).hexdigest()


def has_guest_secret() -> bool:
    """Whether the file is there."""
    with suppress(OSError, RuntimeError):
        return _file().exists()
    return False


def _file() -> Path:
    state = os.environ.get("XDG_STATE_HOME")
    return (Path(state) if state else Path.home() / ".local" / "state") / _FILE


def _secret() -> bytes:
    """The secret in the file, which is created if it is missing; without one, a secret of this process."""
    with suppress(OSError, RuntimeError):  # no home folder, or no right to write there
        file = _file()
        if not file.exists():
            _create(file)
        if secret := file.read_bytes().strip():
            return secret
    return _secret_of_process()


@cache
def _secret_of_process() -> bytes:
    return secrets.token_hex(32).encode()


def _create(file: Path) -> None:
    """Create the file atomically and never overwrite it: programs that start together use the same secret."""
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    draft = file.with_name(f".{file.name}.{os.getpid()}.{secrets.token_hex(4)}")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "w") as out:
            out.write(secrets.token_hex(32) + "\n")
        with suppress(FileExistsError):
            file.hardlink_to(draft)
    finally:
        draft.unlink()
