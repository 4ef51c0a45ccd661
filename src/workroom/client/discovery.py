"""Where the server is, and who asks, when nobody says."""

from __future__ import annotations

import getpass
import json
import os
import re
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

from workroom.domain.errors import ServerUnreachable

_LOCAL = frozenset({"localhost", "127.0.0.1", "::1", "0.0.0.0"})  # noqa: S104 - compared, not bound


def data_folder() -> Path:
    """The data folder of this machine's server."""
    if chosen := os.environ.get("WORKROOM_DATA"):
        return Path(chosen)
    if os.geteuid() == 0:
        return Path("/var/lib/workroom")
    shared = os.environ.get("XDG_DATA_HOME")
    return (Path(shared) if shared else Path.home() / ".local" / "share") / "workroom"


def server_url(given: str | None) -> str:
    """The URL given, or WORKROOM_URL, or that of the server which runs on this machine."""
    url = given or os.environ.get("WORKROOM_URL") or _url_left_by_server()
    return url.rstrip("/")


def _url_left_by_server() -> str:
    word = data_folder() / "server.json"
    try:
        left = json.loads(word.read_text())
        os.kill(int(left["pid"]), 0)
        return str(left["url"])
    except PermissionError:  # somebody else's server: it runs, and that is all we need
        return str(json.loads(word.read_text())["url"])
    except (OSError, ValueError, KeyError):
        raise ServerUnreachable(
            "No server runs on this machine. Start one with `workroom serve`, or name one: url=… or WORKROOM_URL."
        ) from None


def is_local(url: str) -> bool:
    """Whether a URL points at this machine: such requests never go through a proxy."""
    host = urlsplit(url).hostname or ""
    return host in _LOCAL or host.startswith("127.")


def own_name() -> str:
    """The name of whoever is logged in on this machine, as a guest's name."""
    with suppress(OSError, KeyError):
        if name := re.sub(r"[^A-Za-z0-9._@+-]", "", getpass.getuser()).lstrip("._@+-")[:64]:
            return name
    return "guest"


def admin_password() -> str | None:
    """The first admin's password, if it was kept on this machine and we may read it."""
    with suppress(OSError):
        return (data_folder() / "admin-password").read_text().strip() or None
    return None
