"""Ids as commands take them: whole, their beginning or end, or `last` for the newest."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from uuid import UUID

from workroom.domain.errors import BadInput, NotFound

SEARCHED = 500  # ids, of the newest
_PART_OF_ID = re.compile(r"[0-9a-fA-F-]{4,35}")


def match_id(text: str, kind: str, newest: Callable[[], Sequence[UUID]]) -> UUID:
    """The id that is meant. `newest` lists ids, the newest first; it is called only if `text` is no whole id."""
    with suppress(ValueError):
        return UUID(text)
    if text != "last" and not _PART_OF_ID.fullmatch(text):
        raise BadInput(
            f"{text!r} is not the id of a {kind}. An id looks like 0192f0c1-…; its beginning or end is enough, "
            f"and `last` is the newest {kind}."
        )
    ids = newest()
    if text == "last":
        if not ids:
            raise NotFound(f"There is no {kind} yet.")
        return ids[0]
    part = text.lower()
    found = [one for one in ids if str(one).startswith(part) or str(one).endswith(part)]
    if len(found) > 1:
        raise BadInput(f"{text!r} fits {len(found)} ids: {', '.join(map(str, found[:3]))}… Give more of it.")
    if not found:
        raise NotFound(f"None of the newest {kind}s has an id that begins or ends with {text!r}.")
    return found[0]
