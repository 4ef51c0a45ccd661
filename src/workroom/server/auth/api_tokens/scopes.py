"""Which scopes of an API token a route accepts, and an event of a socket.

A route or event that no rule names refuses every API token: a new one is closed to them until it is added here.
Sign-in, passwords and the tokens themselves have no rule, so that a token cannot be used to get another one.
"""

from __future__ import annotations

from workroom.domain.api_token_scopes import SCOPES, allows
from workroom.domain.errors import Forbidden, ScopeNeeded
from workroom.server.auth.tokens import ApiGrant

_NONE: frozenset[str] = frozenset()
_READ, _WRITE, _WORKER = frozenset({"read"}), frozenset({"write"}), frozenset({"worker"})
_ADMIN, _METRICS = frozenset({"admin"}), frozenset({"metrics"})

# Exact routes, before the rules below.
_ROUTES: dict[tuple[str, str], frozenset[str]] = {
    ("GET", "/metrics"): _METRICS,
    ("GET", "/api/users/me"): frozenset(SCOPES),
    ("GET", "/api/users/{id}"): _READ,
    ("GET", "/api/users/{id}/jobs"): _READ,
    ("GET", "/api/users/{id}/job-errors"): _READ,
    ("GET", "/api/users/{id}/job-history"): _READ,
    ("GET", "/api/users/{id}/quotas"): _READ,
    ("GET", "/api/rooms/{room}"): _READ | _WORKER,
    ("GET", "/api/rooms/{room}/demand"): _WORKER,
    ("PUT", "/api/rooms/{room}/quotas"): _ADMIN,
    ("POST", "/api/users"): _ADMIN,
    ("GET", "/api/users"): _ADMIN,
    ("PATCH", "/api/users/{id}"): _ADMIN,
    ("DELETE", "/api/users/{id}"): _ADMIN,
    ("POST", "/api/users/{id}/reset"): _ADMIN,
    ("PUT", "/api/users/{id}/quotas"): _ADMIN,
}
# By the beginning of the path: scopes that read, scopes that change.
_FOLDERS: dict[str, tuple[frozenset[str], frozenset[str]]] = {
    "rooms": (_READ, _WRITE),
    "jobs": (_READ, _WRITE),
    "job-errors": (_READ, _NONE),
    "job-history": (_READ, _NONE),
    "postings": (_READ, _WRITE),
    "profiles": (_READ, _NONE),
    "join": (_NONE, _WRITE),
    "workers": (_READ | _WORKER, _WORKER),
    "admin": (_ADMIN, _ADMIN),
}
_EVENTS: dict[str, frozenset[str]] = {
    "room:join": _READ,
    "room:leave": _READ,
    "camera:follow": _READ,
    "camera:move": _WRITE,
    "chat:send": _WRITE,
    "lock:acquire": _WRITE,
    "lock:refresh": _WRITE,
    "lock:release": _WRITE,
    "lock:msg": _WRITE,
    "step:set": _WRITE,
}
# Sockets receive events of rooms and jobs.
_CONNECT = _READ


def scopes_of_route(method: str, path: str) -> frozenset[str]:
    """The scopes that a route accepts, by its template, e.g. `/api/rooms/{room}`. None: no API token may use it."""
    method = "GET" if method == "HEAD" else method
    exact = _ROUTES.get((method, path))
    if exact is not None:
        return exact
    parts = path.split("/")
    reads, changes = _FOLDERS.get(parts[2], (_NONE, _NONE)) if path.startswith("/api/") else (_NONE, _NONE)
    return reads if method == "GET" else changes


def scopes_of_event(event: str) -> frozenset[str]:
    return _CONNECT if event == "connect" else _EVENTS.get(event, _NONE)


def check_grant(grant: ApiGrant | None, accepted: frozenset[str]) -> None:
    """Raise ScopeNeeded for an API token without one of these scopes. A login passes."""
    if grant is None or allows(grant.scopes, accepted):
        return
    if not accepted:
        raise Forbidden("No API token may do this: sign in with `workroom login` or in the web app.")
    names = [scope for scope in SCOPES if scope in accepted]
    raise ScopeNeeded(
        f"The API token has the scopes {', '.join(sorted(grant.scopes))}, and this needs {' or '.join(names)}.",
        scopes=names,
    )
