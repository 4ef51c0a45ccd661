"""Packed values as people read them, in lists and on a terminal.

Numbers of NumPy become numbers, arrays and tuples lists, instances their fields. The web app does the same in
`lib/readablePythonValues.ts`. What a value really is stays in the packed data.
"""

from __future__ import annotations

from typing import Any, cast

from workroom.domain.values.codec import TAG, is_packed, is_root_model, unpack

_MOST_ELEMENTS = 10_000  # of an array that is written out


def readable(data: Any) -> Any:
    """Packed data as plain JSON, without tags."""
    kind = cast(type[Any], type(data))
    if kind is list:
        return [readable(one) for one in data]
    if kind is not dict:
        return data
    if not is_packed(data):
        return {key: readable(one) for key, one in data.items()}
    name, content = data[TAG]
    try:
        return _unpacked(name, content)
    except Exception:  # a class that is not loaded here, a package that is missing, content that is damaged
        return f"({name})"


def _unpacked(name: str, content: Any) -> Any:
    match name:
        case "int":
            return content
        case "float":
            return float(content)
        case "tuple" | "set" | "frozenset":
            return [readable(one) for one in content]
        case "dict":
            return {str(readable(key)): readable(one) for key, one in content}
        case "dataclass" | "namedtuple":
            return readable(content[2])
        case "model":
            state = content[2]
            fields = state["__dict__"]
            return readable(fields["root"] if "root" in fields and is_root_model(state, fields) else fields)
        case "enum":
            _, qualname, member, value = content
            return readable(value) if member is None else f"{qualname}.{member}"
        case "bytes" | "bytearray":
            return f"{len(unpack({TAG: [name, content]}))} bytes"
        case "atoms":
            return f"Atoms({_formula(readable(content['arrays']['numbers']))})"
        case "numpy" | "array":
            return _elements(unpack({TAG: [name, content]}))
        case "objects":
            shape, items = content
            return [readable(item) for item in items] if len(shape) == 1 else f"array of {_times(shape)}"
        case _:
            return _text(str(unpack({TAG: [name, content]})))


def _elements(array: Any) -> Any:
    if array.size > _MOST_ELEMENTS:
        return f"array of {_times(array.shape)}"
    if array.dtype.kind == "f" and array.dtype.itemsize == 4:
        # The shortest digits of a float with 32 bits: 0.1, not 0.10000000149011612.
        return _plain(array.astype(str).astype(float).tolist())
    return _plain(array.tolist())


def _plain(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_plain(one) for one in cast("list[Any]", value)]
    if isinstance(value, bytes):
        return value.decode(errors="replace")
    return value if isinstance(value, bool | int | float | str) or value is None else str(value)


def _text(text: str) -> str:
    """Text that can be sent: the name of a file may hold half a character."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _times(shape: Any) -> str:
    return " × ".join(str(length) for length in shape)


def _formula(numbers: list[int]) -> str:
    try:
        from ase.data import chemical_symbols
    except ImportError:
        return f"{len(numbers)} atoms"
    counts: dict[str, int] = {}
    for number in numbers:
        symbol = chemical_symbols[number]
        counts[symbol] = counts.get(symbol, 0) + 1
    return "".join(symbol if count == 1 else f"{symbol}{count}" for symbol, count in counts.items())
