"""The sockets that a server process listens on, and the check of its certificate."""

from __future__ import annotations

import socket
import ssl
from dataclasses import dataclass
from typing import TYPE_CHECKING

from workroom.domain.errors import BadInput

if TYPE_CHECKING:
    from workroom.server.settings import Settings


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


def check_certificate(settings: Settings) -> None:
    """Refuse a certificate and a key that cannot be used, before anything is started."""
    if settings.tls_certificate is None or settings.tls_key is None:
        return
    for name, file in (("tls_certificate", settings.tls_certificate), ("tls_key", settings.tls_key)):
        try:
            with file.open("rb"):
                pass
        except OSError as error:
            raise BadInput(f"{name} is {file}, which cannot be read: {error.strerror}.") from None

    def refuse_to_ask() -> str:
        raise BadInput(f"tls_key is {settings.tls_key}, which is encrypted. Give a key without a passphrase.")

    try:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(settings.tls_certificate, settings.tls_key, refuse_to_ask)
    except (ssl.SSLError, ValueError) as error:
        raise BadInput(
            f"{settings.tls_certificate} and {settings.tls_key} are no PEM certificate and its key: {error}."
        ) from None


def _address_of(listening: socket.socket, scheme: str) -> str:
    host, port = listening.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    return f"{scheme}://{'127.0.0.1' if host in ('0.0.0.0', '::') else shown}:{port}"  # noqa: S104 - compared, not bound
