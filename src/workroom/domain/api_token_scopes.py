"""The scopes of API tokens: what a program with a token may do on behalf of the account.

A token never does more than its account may do at that moment. Scopes only take away.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from workroom.domain.errors import BadInput

TOKEN_PREFIX = "wr_"  # noqa: S105 - by which people and scanners of secrets recognise an API token

SCOPES = {
    "read": "Read what the account may read: rooms, jobs, postings, profiles; listen to rooms.",
    "write": "Change rooms, run jobs and post calls as the account may. Includes `read`.",
    "worker": "Register workers and look after them. Nothing else: a job has a token of its own.",
    "metrics": "Read `/metrics`, if the account is an admin.",
    "admin": "Everything that an admin may do, if the account is one. Includes all other scopes.",
}
DEFAULT_SCOPES = ("write", "worker")
_INCLUDED = {"write": {"read"}, "admin": {"read", "write", "worker", "metrics"}}
# Only an admin can make a token with these.
FOR_ADMINS = frozenset({"metrics", "admin"})


def checked_scopes(scopes: Iterable[str]) -> list[str]:
    """The scopes in the order of `SCOPES`, each once; BadInput for an unknown one."""
    given = set(scopes)
    if unknown := sorted(given - SCOPES.keys()):
        raise BadInput(f"{unknown[0]!r} is not a scope. The scopes are {', '.join(SCOPES)}.")
    if not given:
        raise BadInput(f"Name at least one scope: {', '.join(SCOPES)}.")
    return [scope for scope in SCOPES if scope in given]


def allows(granted: Collection[str], accepted: Collection[str]) -> bool:
    """Whether a token with the granted scopes has one of the accepted ones, itself or included in another."""
    return any(scope in accepted or not _INCLUDED.get(scope, set()).isdisjoint(accepted) for scope in granted)
