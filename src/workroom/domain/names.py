"""Which names rooms, extensions and accounts may have.

Names end up in URLs, file names and logs, so they are short and plain.
"""

from __future__ import annotations

import re

from workroom.domain.errors import BadInput, NameReserved

RESERVED_ROOMS = frozenset({"public", "global", "builtin"})

_ROOM = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}\Z")
_ACCOUNT = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@+-]{0,63}\Z")
_CATEGORY = re.compile(r"[a-z][a-z0-9_-]{0,49}\Z")
_EXTENSION = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]{0,99}\Z")


def room_name(name: str) -> str:
    """The name, if a room may have it."""
    if name.lower() in RESERVED_ROOMS or name.startswith("@"):
        raise NameReserved(f"A room cannot be called {name!r}: that name is reserved. Choose another one.", name=name)
    return _matching(_ROOM, name, "room", "letters, digits, '.', '_' and '-', at most 100, not starting with a sign")


def account_name(name: str) -> str:
    """The name, if an account may have it."""
    return _matching(
        _ACCOUNT, name, "user", "letters, digits and . _ @ + -, at most 64, starting with a letter or digit"
    )


def category_name(name: str) -> str:
    """The name, if a category of extensions may have it."""
    return _matching(_CATEGORY, name, "category", "lower-case letters, digits, '_' and '-', at most 50")


def extension_name(name: str) -> str:
    """The name, if an extension or a function may have it."""
    return _matching(_EXTENSION, name, "extension", "letters, digits, '_', '.' and '-', at most 100")


def _matching(pattern: re.Pattern[str], name: str, what: str, rule: str) -> str:
    if not pattern.match(name):
        shown = name if len(name) <= 40 else name[:40] + "…"
        raise BadInput(f"{shown!r} is no {what} name: use {rule}.", name=shown)
    return name
