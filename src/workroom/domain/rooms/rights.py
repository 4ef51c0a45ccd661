"""Rights in a room: who has which, the check that they suffice, and who may offer extensions."""

from __future__ import annotations

from enum import StrEnum

from workroom.domain.errors import Forbidden, NotFound


class Rights(StrEnum):
    """The rights in a room; each includes those before it."""

    READ = "read"  # see the room
    WRITE = "write"  # change its content, run jobs
    OWN = "own"  # change members and settings, lock it, delete it

    def allows(self, needed: Rights) -> bool:
        return _ORDER[self] >= _ORDER[needed]


_ORDER = {Rights.READ: 1, Rights.WRITE: 2, Rights.OWN: 3}


def rights_in_room(*, admin: bool, owned: bool, public: bool, member: str | None) -> Rights | None:
    """A user's rights in a room; None if the room is hidden from the user.

    Admins own every room, and the creator owns a room. A public room is a shared workspace: every signed-in user may
    write. A private room is open to its members only.
    """
    if admin or owned:
        return Rights.OWN
    granted = Rights(member) if member else None
    if public and (granted is None or not granted.allows(Rights.WRITE)):
        return Rights.WRITE
    return granted


class ExtensionsFrom(StrEnum):
    """Who may offer extensions in a public room; each includes those before it."""

    MEMBERS = "members"  # members who may write, owners and admins
    USERS = "users"  # all who sign in with a password
    GUESTS = "guests"  # all who sign in


def may_offer(*, role: str, owned: bool, public: bool, member: str | None, extensions_from: str) -> bool:
    """Whether an account may offer extensions in a room, and so be handed the jobs and the content of the room.

    In a public room everyone may write, so the owners choose who may also offer extensions.
    """
    granted = rights_in_room(admin=role == "admin", owned=owned, public=False, member=member)
    if granted is not None and granted.allows(Rights.WRITE):
        return True
    if not public or extensions_from == ExtensionsFrom.MEMBERS:
        return False
    return role != "guest" or extensions_from == ExtensionsFrom.GUESTS


def no_such_room() -> NotFound:
    """The same error for a missing room and for a hidden one, so that it does not reveal which rooms exist."""
    return NotFound("There is no such room, or it is private and you are not a member.")


def check_rights(rights: Rights | None, needed: Rights, *, locked: bool) -> Rights:
    """Return the rights if they suffice; NotFound or Forbidden otherwise."""
    if rights is None:
        raise no_such_room()
    if not rights.allows(needed):
        raise Forbidden(
            f"This needs the right to {needed} in this room, and you have {rights}. Ask one of its owners.",
            needed=needed,
            rights=rights,
        )
    if locked and needed is Rights.WRITE and rights is not Rights.OWN:
        raise Forbidden("The room is locked. Ask one of its owners to unlock it.", locked=True)
    return rights
