"""The sockets that a server process listens on."""

from __future__ import annotations

import socket
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Listening:
    """The sockets of a server process.

    The built-in pool and programs on this machine cannot check a certificate that names the public host. Beside TLS the
    server listens for them without TLS, on a port of the loopback address.
    """

    public: socket.socket
    local: socket.socket | None = None  # without TLS; none if `public` is without TLS itself

    @property
    def address(self) -> str:
        return _address_of(self.public, "http" if self.local is None else "https")

    @property
    def local_address(self) -> str:
        return _address_of(self.local or self.public, "http")


def _address_of(listening: socket.socket, scheme: str) -> str:
    host, port = listening.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    return f"{scheme}://{'127.0.0.1' if host in ('0.0.0.0', '::') else shown}:{port}"  # noqa: S104 - compared, not bound
