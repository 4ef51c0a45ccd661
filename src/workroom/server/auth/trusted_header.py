"""Sign-in by a header of a proxy that has authenticated the person. Only the proxies of the settings are believed."""

from __future__ import annotations

from ipaddress import IPv6Address, ip_address, ip_network

from fastapi import Request

from workroom.domain.role_of_groups import ExternalIdentity
from workroom.server.http.peer_before_proxy import peer_of
from workroom.server.sign_in_settings import SignInSettings

ISSUER = "proxy"
_MOST_CHARACTERS = 200


def identity_in_header(settings: SignInSettings, request: Request) -> ExternalIdentity | None:
    """The person whom the proxy names. None without the header, and for a peer that is none of these proxies."""
    if settings.header_user is None or not _is_proxy(settings, peer_of(request.scope)):
        return None
    name = _value(request, settings.header_user)
    if not name or len(name) > _MOST_CHARACTERS:
        return None
    groups = (_value(request, settings.header_groups) if settings.header_groups else "") or ""
    listed = (group.strip() for group in groups.split(","))
    return ExternalIdentity(ISSUER, name, name, frozenset(group for group in listed if group))


def _is_proxy(settings: SignInSettings, peer: str | None) -> bool:
    """Whether the other end of the connection is one of the proxies. A UNIX socket has no address, so it is none."""
    try:
        address = ip_address(peer or "")
    except ValueError:
        return False
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        address = address.ipv4_mapped
    return any(address in ip_network(proxy, strict=False) for proxy in settings.header_proxies)


def _value(request: Request, header: str) -> str | None:
    """The value of a header. A proxy that adds its header to the one of a client sends two, which count as none."""
    found = request.headers.getlist(header)
    if len(found) != 1:
        return None
    try:
        return found[0].encode("latin-1").decode().strip()
    except UnicodeDecodeError:
        return None
