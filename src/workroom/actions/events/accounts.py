"""Events of accounts and their settings."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID


@dataclass(frozen=True, slots=True)
class AccountRevoked:
    """All tokens of an account but its API tokens were revoked. The server closes the sockets opened with them."""

    account_id: UUID


@dataclass(frozen=True, slots=True)
class ApiTokenRevoked:
    """An API token was revoked. The server closes the sockets that were opened with it."""

    account_id: UUID
    token_id: UUID


@dataclass(frozen=True, slots=True)
class SettingsStored:
    """A user changed their values of a settings extension in a room."""

    room: str
    account_id: UUID
    name: str
