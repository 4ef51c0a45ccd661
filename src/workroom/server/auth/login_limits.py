"""Limits of sign-ins: for a name from an address, for an address, and for a name from all addresses.

Only failed attempts count. A name that has signed in from an address before stays subject to the first limit alone
there, so that other clients at the same address, or guesses from elsewhere, cannot lock the account out. Servers on
one database tell each other of attempts, so all of them together allow as many as one.
"""

from __future__ import annotations

import ipaddress
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from workroom.domain.errors import TooManyRequests
from workroom.server.auth.rate_limit import RateLimiter
from workroom.server.replicas.bus import ReplicaBus
from workroom.server.settings import Settings

_WINDOW_SECONDS = 60.0
# Only a correct password adds an entry. An evicted pair is subject to all limits again.
_MOST_KNOWN_PAIRS = 10_000


class LoginLimits:
    """The limits of one server."""

    def __init__(self, settings: Settings) -> None:
        self._pairs = RateLimiter(
            settings.logins_per_minute, _WINDOW_SECONDS, what="Too many failed sign-ins with this name"
        )
        self._names = RateLimiter(
            settings.name_logins_per_minute, _WINDOW_SECONDS, what="Too many failed sign-ins with this name"
        )
        self._addresses = RateLimiter(
            settings.address_logins_per_minute, _WINDOW_SECONDS, what="Too many failed sign-ins from your address"
        )
        self._api_tokens = RateLimiter(
            settings.address_logins_per_minute, _WINDOW_SECONDS, what="Too many wrong API tokens from your address"
        )
        self._guests = RateLimiter(
            settings.guests_per_minute, _WINDOW_SECONDS, what="Too many new guests from your address"
        )
        self._known: OrderedDict[tuple[str, str], None] = OrderedDict()
        self._bus: ReplicaBus | None = None  # none: this is the only server

    def connect_bus(self, bus: ReplicaBus) -> None:
        """From now on attempts at other servers count here too."""
        self._bus = bus
        bus.on("login", lambda _, body: self._count(LoginAttempt(self, *body)))
        bus.on("login refunded", lambda _, body: self._refund(LoginAttempt(self, *body)))

    def _count(self, attempt: LoginAttempt) -> None:
        counted = [(self._pairs, attempt.pair)]
        if attempt.counted_widely:
            counted += [(self._addresses, attempt.network), (self._names, attempt.name)]
        for limiter, key in counted:
            with suppress(TooManyRequests):  # the limit is reached here, too
                limiter.hit(key)

    def _publish(self, kind: str, attempt: LoginAttempt) -> None:
        if self._bus is not None and self._bus.others:
            self._bus.send(kind, [attempt.name, attempt.network, attempt.counted_widely])

    def begin(self, name: str, address: str | None) -> LoginAttempt:
        """Count an attempt, or raise TooManyRequests. A successful attempt is refunded."""
        attempt = LoginAttempt(self, name.lower(), network_of(address))
        self._pairs.hit(attempt.pair)
        if (attempt.name, attempt.network) in self._known:
            self._publish("login", attempt)
            return attempt
        try:
            self._addresses.hit(attempt.network)
        except TooManyRequests:
            self._pairs.refund(attempt.pair)
            raise
        try:
            self._names.hit(attempt.name)
        except TooManyRequests:
            self._pairs.refund(attempt.pair)
            self._addresses.refund(attempt.network)
            raise
        attempt.counted_widely = True
        self._publish("login", attempt)
        return attempt

    def refund(self, attempt: LoginAttempt) -> None:
        self._refund(attempt)
        self._publish("login refunded", attempt)

    def _refund(self, attempt: LoginAttempt) -> None:
        self._pairs.refund(attempt.pair)
        if attempt.counted_widely:
            self._addresses.refund(attempt.network)
            self._names.refund(attempt.name)

    def remember(self, attempt: LoginAttempt) -> None:
        self._known[attempt.name, attempt.network] = None
        self._known.move_to_end((attempt.name, attempt.network))
        while len(self._known) > _MOST_KNOWN_PAIRS:
            self._known.popitem(last=False)

    def begin_at_provider(self, address: str | None) -> Callable[[], None]:
        """Count a sign-in for which a provider or a proxy vouches, or raise TooManyRequests. Returns what refunds it.

        Only the address is limited: the request names no account.
        """
        network = network_of(address)
        self._addresses.hit(network)
        return lambda: self._addresses.refund(network)

    def begin_api_token(self, address: str | None) -> Callable[[], None]:
        """Count the look-up of an API token, or raise TooManyRequests. Returns what refunds it.

        It has a limit of its own: a program that keeps sending a revoked token locks no person out.
        """
        network = network_of(address)
        self._api_tokens.hit(network)
        return lambda: self._api_tokens.refund(network)

    def new_guest(self, address: str | None) -> None:
        """Count a guest account that is about to be created, or raise TooManyRequests."""
        self._guests.hit(network_of(address))


@dataclass(slots=True)
class LoginAttempt:
    """An attempt that has been counted."""

    limits: LoginLimits
    name: str
    network: str
    counted_widely: bool = False  # whether the limits of the address and of the name count it too

    @property
    def pair(self) -> str:
        return f"{self.name} {self.network}"

    def not_failed(self) -> None:
        """Do not count the attempt: it succeeded, or no password was checked."""
        self.limits.refund(self)

    def succeeded(self) -> None:
        """The password was correct."""
        self.limits.refund(self)
        self.limits.remember(self)


def network_of(address: str | None) -> str:
    """The address of a client; of IPv6 the /64 network, because one client can use all its addresses."""
    try:
        parsed = ipaddress.ip_address(address or "")
    except ValueError:
        return address or ""
    if isinstance(parsed, ipaddress.IPv6Address):
        if parsed.ipv4_mapped is not None:
            return str(parsed.ipv4_mapped)
        return str(ipaddress.ip_network((parsed, 64), strict=False))
    return str(parsed)
