"""Events of accounts and their settings."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID


@dataclass(frozen=True, slots=True)
class AccountRevoked:
    """All tokens of an account were revoked. The server closes the sockets that were opened with them."""

    account_id: UUID


@dataclass(frozen=True, slots=True)
class SettingsStored:
    """A user changed their values of a settings extension in a room."""

    room: str
    account_id: UUID
    name: str
