"""Quotas: how much of the server an account and a room may use.

The settings have the default of each quota, and an admin can set another value for one account or one room. A guest
gets a share of the defaults, because every visitor can become a guest. Admins have no limit unless one is set for them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from workroom.domain.errors import QuotaExceeded, StorageQuotaExceeded

# What each quota limits, in the words of its error message.
ACCOUNT_QUOTAS = {
    "rooms": "rooms that the account owns",
    "bytes": "bytes in the rooms that the account owns",
    "jobs": "unfinished jobs that the account submitted, without those of postings",
    "calls": "unfinished calls of the account's postings",
    "workers": "workers of the account that are online",
}
ROOM_QUOTAS = {
    "bytes": "bytes in the room: frames and items, and their history as long as it can be undone",
    "frames": "frames in the room's trajectory",
    "jobs": "unfinished jobs in the room, without those of postings",
    "calls": "unfinished calls of the room's postings",
    "workers": "workers online that were registered from the room",
}
STORAGE = frozenset({"bytes", "frames"})
LARGEST = 2**62


@dataclass(frozen=True, slots=True)
class QuotaDefaults:
    """The limits of accounts and rooms for which an admin has set no other."""

    account: Mapping[str, int] = field(default_factory=dict[str, int])
    room: Mapping[str, int] = field(default_factory=dict[str, int])
    guest_percent: int = 100  # of the defaults of an account

    def of_account(self, role: str, overrides: Mapping[str, int]) -> dict[str, int | None]:
        """The limit of each quota of an account; None for no limit."""
        return {name: overrides.get(name, self._default(role, name)) for name in ACCOUNT_QUOTAS}

    def of_room(self, overrides: Mapping[str, int]) -> dict[str, int | None]:
        """The limit of each quota of a room; None for no limit."""
        return {name: overrides.get(name, self.room.get(name)) for name in ROOM_QUOTAS}

    def _default(self, role: str, name: str) -> int | None:
        default = self.account.get(name)
        if default is None or role == "admin":
            return None
        return max(1, default * self.guest_percent // 100) if role == "guest" else default


@dataclass(slots=True)
class Usage:
    """What one account or room uses of its quotas."""

    subject: str  # `account` or `room`
    name: str
    used: dict[str, int]
    limits: dict[str, int | None]

    def left(self, quota: str) -> int | None:
        """How much is left of a quota; None for no limit."""
        limit = self.limits[quota]
        return None if limit is None else limit - self.used[quota]

    def check(self, quota: str, added: int) -> None:
        """Raise QuotaExceeded if `added` more would be too much."""
        left = self.left(quota)
        if left is None or added <= left:
            return
        meanings = ACCOUNT_QUOTAS if self.subject == "account" else ROOM_QUOTAS
        kind = StorageQuotaExceeded if quota in STORAGE else QuotaExceeded
        option = "" if self.subject == "account" else "--room "
        raise kind(
            f"The quota `{quota}` of {self.subject} {self.name} is {self.limits[quota]:,} ({meanings[quota]}): "
            f"{self.used[quota]:,} are in use and {added:,} more were requested. "
            f"An admin can raise it: `workroom admin set-quota {option}{self.name} {quota} VALUE`.",
            quota=quota,
            subject=self.subject,
            limit=self.limits[quota],
            used=self.used[quota],
            requested=added,
        )
