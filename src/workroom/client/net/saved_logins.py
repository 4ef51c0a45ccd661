"""Logins that `workroom login` has saved: a token for each server, in a file that only its owner can read.

The file is `workroom/logins.json` below XDG_CONFIG_HOME or ~/.config. It holds tokens and no passwords.
"""

from __future__ import annotations

import json
import os
import secrets
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from workroom.client import discovery
from workroom.domain.errors import BadInput


@dataclass(frozen=True, slots=True)
class SavedLogin:
    """The login of a user at a server."""

    url: str
    user: str
    token: str


def saved_login(url: str) -> SavedLogin | None:
    """The saved login for a server."""
    return next((one for one in all_logins() if _key(one.url) == _key(url)), None)


def all_logins() -> list[SavedLogin]:
    """All saved logins, the last one first. None if the file is missing or cannot be read."""
    with suppress(OSError, RuntimeError, ValueError, KeyError, TypeError):
        found: list[dict[str, Any]] = json.loads(_file().read_text())["logins"]
        return [SavedLogin(str(one["url"]), str(one["user"]), str(one["token"])) for one in found]
    return []


def save(login: SavedLogin) -> Path:
    """Save a login in place of the former one for this server. Returns the file."""
    return _write([login, *(one for one in all_logins() if _key(one.url) != _key(login.url))])


def remove(url: str) -> bool:
    """Remove the login for a server; False if there is none."""
    logins = all_logins()
    kept = [one for one in logins if _key(one.url) != _key(url)]
    if len(kept) < len(logins):
        _write(kept)
    return len(kept) < len(logins)


def _key(url: str) -> str:
    """Different names of one server have the same key."""
    return discovery.server_origin(url) + urlsplit(url).path.rstrip("/")


def _file() -> Path:
    config = os.environ.get("XDG_CONFIG_HOME")
    return (Path(config) if config else Path.home() / ".config") / "workroom" / "logins.json"


def _write(logins: list[SavedLogin]) -> Path:
    """Replace the file atomically: programs that read it meanwhile see the old or the new logins."""
    try:
        file = _file()
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        draft = file.with_name(f".{file.name}.{os.getpid()}.{secrets.token_hex(4)}")
        content = {"logins": [{"url": one.url, "user": one.user, "token": one.token} for one in logins]}
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as out:
            out.write(json.dumps(content, indent=2) + "\n")
        draft.replace(file)
    except (OSError, RuntimeError) as error:  # RuntimeError: there is no home folder
        raise BadInput(f"The login cannot be saved: {error}. Set XDG_CONFIG_HOME to a folder of yours.") from None
    return file
