"""Writes a JSON value as one short line for lists: `fmax 0.05, steps 40`."""

from __future__ import annotations

from typing import Any, cast

from workroom.domain.values.packed_to_plain import readable

_MOST_LETTERS = 200
_MOST_ITEMS = 8


def one_line(value: Any) -> str:
    """The fields of a mapping with their values; of long lists only the first items."""
    shown = readable(value)
    return shorten(_fields(cast("dict[str, Any]", shown)) if isinstance(shown, dict) else _word(shown))


def shorten(text: str) -> str:
    """At most 200 letters, without line breaks."""
    line = " ".join(text.split())
    return line if len(line) <= _MOST_LETTERS else f"{line[: _MOST_LETTERS - 1]}…"


def _fields(value: dict[str, Any]) -> str:
    return ", ".join(f"{key} {_word(inner)}" for key, inner in value.items())


def _word(value: Any) -> str:
    match value:
        case None:
            return "none"
        case bool():
            return "yes" if value else "no"
        case float():
            return f"{value:.5g}"
        case dict():
            return f"({_fields(cast('dict[str, Any]', value))})"
        case list():
            items = cast("list[Any]", value)
            more = ", …" if len(items) > _MOST_ITEMS else ""
            return f"[{', '.join(map(_word, items[:_MOST_ITEMS]))}{more}]"
        case _:
            return str(value)
