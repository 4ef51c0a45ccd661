"""Which names rooms, extensions, categories and accounts may have.

Names appear in URLs, file names and logs, so their characters and lengths are restricted.
"""

from __future__ import annotations

import re

from workroom.domain.errors import BadInput, NameReserved

RESERVED_ROOMS = frozenset({"public", "global", "builtin"})

_ROOM = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}\Z")
_ROOM_RULE = "letters, digits, '.', '_' and '-', at most 100, not starting with punctuation"
_ACCOUNT = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@+-]{0,63}\Z")
_NOT_IN_ACCOUNT = re.compile(r"[^A-Za-z0-9._@+-]")
_CATEGORY = re.compile(r"[a-z][a-z0-9_-]{0,49}\Z")
_EXTENSION = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]{0,99}\Z")


def room_name(name: str) -> str:
    """Return the name if a room may have it; NameReserved or BadInput otherwise."""
    if name.lower() in RESERVED_ROOMS or name.startswith("@"):
        raise NameReserved(f"A room cannot be called {name!r}: that name is reserved. Choose another one.", name=name)
    return _matching(_ROOM, name, "room", _ROOM_RULE)


def room_path(name: str) -> str:
    """The path of a room in the REST API; BadInput for a name that no room has, because it may name another path."""
    return f"/api/rooms/{_matching(_ROOM, name, 'room', _ROOM_RULE)}"


def account_name(name: str) -> str:
    """Return the name if an account may have it; BadInput otherwise."""
    return _matching(
        _ACCOUNT, name, "user", "letters, digits and . _ @ + -, at most 64, starting with a letter or digit"
    )


def account_name_from(text: str, *, default: str) -> str:
    """An account name derived from any text, e.g. the name of an OS user: other characters become '-'."""
    return _NOT_IN_ACCOUNT.sub("-", text).lstrip("._@+-")[:64] or default


def numbered_account_names(name: str, suffix: str) -> list[str]:
    """The name, and names like it for accounts that cannot have it: with a number, and at last with the suffix."""
    return [name, *(f"{name[:55]}-{number}" for number in range(2, 10)), f"{name[:55]}-{suffix}"]


def category_name(name: str) -> str:
    """Return the name if a category of extensions may have it; BadInput otherwise."""
    return _matching(_CATEGORY, name, "category", "lower-case letters, digits, '_' and '-', at most 50")


def extension_name(name: str) -> str:
    """Return the name if an extension or a function may have it; BadInput otherwise."""
    return _matching(_EXTENSION, name, "extension", "letters, digits, '_', '.' and '-', at most 100")


def api_token_name(name: str) -> str:
    """Return the name if an API token may have it; BadInput otherwise."""
    return _matching(
        _ACCOUNT, name, "token", "letters, digits and . _ @ + -, at most 64, starting with a letter or digit"
    )


def _matching(pattern: re.Pattern[str], name: str, what: str, rule: str) -> str:
    if not pattern.match(name):
        shown = name if len(name) <= 40 else name[:40] + "…"
        raise BadInput(f"{shown!r} is no {what} name: use {rule}.", name=shown)
    return name
