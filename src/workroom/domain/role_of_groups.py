"""Which role the groups of a person give."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from workroom.domain.errors import Forbidden


@dataclass(frozen=True, slots=True)
class ExternalIdentity:
    """A person whom a provider or a proxy has authenticated."""

    issuer: str  # the provider
    subject: str  # what identifies the person at the provider, for ever
    name: str  # what the person is called there
    groups: frozenset[str]


def role_of_groups(
    groups: Collection[str], *, admin_groups: Collection[str], allowed_groups: Collection[str]
) -> str | None:
    """The role of a person with these groups. None: groups decide no roles. Forbidden if the person may not sign in."""
    if not set(groups).isdisjoint(admin_groups):
        return "admin"
    if allowed_groups and set(groups).isdisjoint(allowed_groups):
        raise Forbidden("You are in none of the groups that may sign in here. Ask an admin of this server.")
    return "user" if admin_groups else None
