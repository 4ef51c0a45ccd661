"""The check of the certificate and the key of a server."""

from __future__ import annotations

import ssl
from typing import TYPE_CHECKING

from workroom.domain.errors import BadInput

if TYPE_CHECKING:
    from workroom.server.settings import Settings


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
