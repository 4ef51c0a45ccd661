"""What people may do in a room."""

from __future__ import annotations

from enum import StrEnum

from workroom.domain.errors import Forbidden, NotFound


class Rights(StrEnum):
    """Each right includes those before it."""

    READ = "read"  # see the room
    WRITE = "write"  # change what is in it, run jobs
    OWN = "own"  # change who may what, lock it, delete it

    def allows(self, needed: Rights) -> bool:
        return _ORDER[self] >= _ORDER[needed]


_ORDER = {Rights.READ: 1, Rights.WRITE: 2, Rights.OWN: 3}


def rights_in_room(*, admin: bool, owned: bool, public: bool, member: str | None) -> Rights | None:
    """Somebody's rights in a room; none when the room does not exist for them.

    Admins own every room, and whoever made it owns it. A public room is a shared workspace: everybody who is signed in
    writes there. A private one is for its members alone.
    """
    if admin or owned:
        return Rights.OWN
    granted = Rights(member) if member else None
    if public and (granted is None or not granted.allows(Rights.WRITE)):
        return Rights.WRITE
    return granted


def no_such_room() -> NotFound:
    """The same words for a room that is not there and for one that a stranger may not see."""
    return NotFound("There is no such room, or it is private and you are not a member.")


def check_rights(rights: Rights | None, needed: Rights, *, locked: bool) -> Rights:
    """The rights, if they are enough for what is needed."""
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
