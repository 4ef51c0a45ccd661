"""Defaults of the client: the URL of the server on this machine, the guest name, the password of its admin."""

from __future__ import annotations

import getpass
import json
import os
import platform
import re
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

from workroom.domain.data_folder import data_folder as domain_data_folder
from workroom.domain.errors import BadInput, ServerUnreachable
from workroom.domain.names import account_name_from

_NOT_IN_HOST = re.compile(r"[\x00-\x20\x7f<>\\^`{|}\"%]")
_LOCAL = frozenset({"localhost", "127.0.0.1", "::1", "0.0.0.0"})  # noqa: S104 - compared, not bound


def data_folder() -> Path:
    """The data folder of this machine's server."""
    return domain_data_folder(os.environ, is_root=os.geteuid() == 0, home=Path.home())


def server_url(given: str | None) -> str:
    """The given URL, else WORKROOM_URL, else the server that runs on this machine, else that of the last login."""
    url = given or os.environ.get("WORKROOM_URL")
    if url is None or not url:
        try:
            url = _running_server_url()
        except ServerUnreachable:
            from workroom.client.net.saved_logins import all_logins

            logins = all_logins()
            if not logins:
                raise
            url = logins[0].url
    return checked_url(url)


def checked_url(url: str) -> str:
    """Return the URL without a slash at its end; BadInput if it is none of a server."""
    try:
        parts = urlsplit(url)
        host = parts.hostname
        _ = parts.port  # parsed, and refused, when it is read
    except ValueError as error:
        raise BadInput(f"{url!r} is not the URL of a server: {error}. Write http://HOST:PORT.") from None
    if parts.scheme not in ("http", "https"):
        raise BadInput(f"{url!r} is not the URL of a server. It begins with http:// or https://.")
    if not host or _NOT_IN_HOST.search(host):
        raise BadInput(f"{url!r} is not the URL of a server: it has no host. Write http://HOST:PORT.")
    if parts.query or parts.fragment:
        raise BadInput(f"{url!r} is not the URL of a server: leave out what follows '?' or '#'.")
    return url.rstrip("/")


def _running_server_url() -> str:
    file = data_folder() / "server.json"
    try:
        server = json.loads(file.read_text())
        url, pid = str(server["url"]), int(server["pid"])
        if server["machine"] != this_machine():
            raise ValueError("another machine that shares the folder")
        with suppress(PermissionError):  # the process belongs to another user, so it exists
            os.kill(pid, 0)
    except PermissionError:
        raise ServerUnreachable(
            f"This user may not read {file}, which names the server of this machine. "
            "Give its URL: --url, url=… or WORKROOM_URL."
        ) from None
    except (OSError, ValueError, KeyError, TypeError):
        raise ServerUnreachable(
            f"No server runs on this machine with the data folder {data_folder()}. Start one with `workroom serve`, or "
            "name one: `workroom login --url …`, --url, url=… or WORKROOM_URL. WORKROOM_DATA names another folder."
        ) from None
    return url


def this_machine() -> str:
    """Names what a process id belongs to: the machine since its start, and the container.

    Servers may share a data folder. A process id that one of them writes there means nothing to the others.
    """
    parts = [platform.node()]
    with suppress(OSError):  # not on Linux
        parts.append(Path("/proc/sys/kernel/random/boot_id").read_text().strip())
        parts.append(str(Path("/proc/self/ns/pid").readlink()))
    return " ".join(parts)


def server_origin(url: str) -> str:
    """The scheme, host and port of a URL. The names of the loopback address are the same host."""
    parts = urlsplit(url)
    host = (parts.hostname or "").lower()
    port = parts.port or (443 if parts.scheme == "https" else 80)
    return f"{parts.scheme}://{'localhost' if host in _LOCAL else host}:{port}"


def is_local(url: str) -> bool:
    """Whether a URL points to this machine. Such requests bypass proxies."""
    host = urlsplit(url).hostname or ""
    return host in _LOCAL or host.startswith("127.")


def guest_name() -> str:
    """The name of a guest: derived from the user of this machine."""
    with suppress(OSError, KeyError):
        return account_name_from(getpass.getuser(), default="guest")
    return "guest"


def admin_password(url: str) -> str | None:
    """The first admin's password, if it is readable and `url` is the running server of the same data folder.

    Any other server, also one on this machine, would learn the password from the attempt to sign in.
    """
    with suppress(OSError, ServerUnreachable):
        if server_origin(_running_server_url()) == server_origin(url):
            return admin_password_file().read_text().strip() or None
    return None


def admin_password_file() -> Path:
    return data_folder() / "admin-password"
