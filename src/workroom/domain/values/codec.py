"""Python values as JSON for PostgreSQL's jsonb, and back without loss.

Values that jsonb preserves are stored as plain JSON, so that they stay readable in SQL: None, booleans, text, 64-bit
integers, most floats, lists, and dicts with text keys. Every other value is a tagged object with the one key "~", which
names the type: {"~": ["tuple", [1, 2]]}. Floats that jsonb would return as an integer (1e16) or without their sign
(-0.0) are tagged too. The order of a dict's keys is not preserved. `kinds` holds the types beyond Python's
own containers. `pack` raises BadInput for types that it cannot restore.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Hashable, Mapping
from typing import Any, cast

import orjson

from workroom.domain.errors import BadInput
from workroom.domain.values.hash_collisions import check_hashes
from workroom.domain.values.kinds import check_kind, pack_kind, preview, unpack_kind

TAG = "~"
_MAX_DEPTH = 60  # a tagged level is three of JSON's, and the JSON library stops at 254
_DECIMAL_BITS = 14_000  # Python refuses to write more decimal digits
_SMALLEST, _LARGEST = -(2**63), 2**64 - 1


def pack(value: Any, what: str = "The value") -> Any:
    """The value as plain JSON data."""
    return _pack(value, what, 0)


def _pack(value: Any, what: str, depth: int) -> Any:
    kind = cast(type[Any], type(value))
    if value is None or kind is bool:
        return value
    if kind is int:
        return {TAG: ["int", _digits(value)]} if is_large(value) else value
    if kind is str:
        return value if is_plain_text(value) else {TAG: ["text", _base64(value.encode("utf-16-le", "surrogatepass"))]}
    if kind is float:
        written = repr(value)
        # jsonb returns a float with a point and without an exponent unchanged, except -0.0.
        plain = "." in written and "e" not in written and (value != 0.0 or written == "0.0")
        return value if plain else {TAG: ["float", written]}
    if kind is bytes:
        return {TAG: ["bytes", _base64(value)]}
    if depth >= _MAX_DEPTH:
        raise BadInput(f"{what} is nested more than {_MAX_DEPTH} levels deep, or contains itself.")
    if kind is list:
        return [_pack(one, what, depth + 1) for one in value]
    if kind is dict:
        return _pack_dict(value, what, depth + 1)
    if kind in (tuple, set, frozenset):
        return {TAG: [kind.__name__, [_pack(one, what, depth + 1) for one in value]]}
    return _pack_other(value, what, depth + 1)


def _pack_other(value: Any, what: str, depth: int) -> Any:
    return {TAG: pack_kind(value, what, lambda part: _pack(part, what, depth))}


def _pack_dict(value: dict[Any, Any], what: str, depth: int) -> Any:
    if TAG not in value and all(type(key) is str and is_plain_text(key) for key in value):
        return {key: _pack(one, what, depth) for key, one in value.items()}
    pairs = [[_pack(key, what, depth), _pack(one, what, depth)] for key, one in value.items()]
    return {TAG: ["dict", pairs]}


def unpack(data: Any) -> Any:
    """The value that was packed."""
    kind = cast(type[Any], type(data))
    if kind is list:
        return [unpack(one) for one in data]
    if kind is not dict:
        return data
    if TAG in data:
        name, content = data[TAG]
        known = _UNPACK.get(name)
        return known(content) if known is not None else unpack_kind(name, content, unpack)
    return {key: unpack(one) for key, one in data.items()}


def without_classes(data: Any) -> Any:
    """Packed data in which dataclasses, models and named tuples are the plain values of their fields.

    An instance that was restored from its fields has not been validated. Validators read the fields instead.
    """
    kind = cast(type[Any], type(data))
    if kind is list:
        return [without_classes(one) for one in data]
    if kind is not dict:
        return data
    match data.get(TAG):
        case ["model", [_, _, {"__dict__": {"root": root} as fields} as state]] if is_root_model(state, fields):
            return without_classes(root)
        case ["model", [_, _, {"__dict__": fields}]]:
            return without_classes(fields)
        case ["dataclass" | "namedtuple", [_, _, fields]]:
            return without_classes(fields)
        case _:
            return {key: without_classes(one) for key, one in data.items()}


def is_root_model(state: Any, fields: Any) -> bool:
    """Whether this is the state of a `RootModel`: its value stands for the whole."""
    return len(fields) == 1 and "__pydantic_extra__" not in state


def is_packed(data: Any) -> bool:
    """Whether this is a packed value that is not plain JSON."""
    return type(data) is dict and TAG in data and len(cast("dict[str, Any]", data)) == 1


def _items(content: list[Any]) -> list[Any]:
    return [unpack(one) for one in content]


def _set_items(content: list[Any]) -> list[Any]:
    items = _items(content)
    check_hashes(items)
    return items


def _unpack_dict(content: list[list[Any]]) -> dict[Any, Any]:
    pairs = [(unpack(key), unpack(one)) for key, one in content]
    check_hashes(key for key, _ in pairs)
    return dict(pairs)


_UNPACK: dict[str, Callable[[Any], Any]] = {
    "int": lambda digits: int(digits, 16) if "0x" in digits[:3] else int(digits),
    "float": float,
    "text": lambda text: base64.b64decode(text).decode("utf-16-le", "surrogatepass"),
    "bytes": base64.b64decode,
    "tuple": lambda content: tuple(_items(content)),
    "set": lambda content: set(_set_items(content)),
    "frozenset": lambda content: frozenset(_set_items(content)),
    "dict": _unpack_dict,
}


def pack_call(args: Any, kwargs: dict[str, Any] | None, position: int) -> dict[str, Any]:
    """A call's arguments. `position` is the call's number in the posting; error messages name it."""
    what = f"Call {position}"
    if type(args) is not tuple and type(args) is not list:
        raise BadInput(f"{what}: give the positional arguments as a tuple, ({preview(args)},) for a single one.")
    packed: dict[str, Any] = {"args": [_pack(one, what, 1) for one in cast("list[Any]", args)]}
    if kwargs:
        wrong = next((key for key in kwargs if type(key) is not str), None)
        if wrong is not None:
            raise BadInput(f"{what}: a keyword is a str, not {preview(wrong)}.")
        packed["kwargs"] = _pack(kwargs, what, 1)
    return packed


def unpack_call(data: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    kwargs = data.get("kwargs")
    return tuple([unpack(one) for one in data["args"]]), {} if kwargs is None else unpack(kwargs)


def checked_call(data: Mapping[str, Any], position: int) -> dict[str, Any]:
    """A packed call from a client as `pack_call` would write it; BadInput if it is malformed. Loads no class."""
    what = f"Call {position}"
    try:
        args = [_checked(one, what, 1) for one in data.get("args", [])]
        kwargs = data.get("kwargs")
        packed: dict[str, Any] = {"args": args}
        if kwargs:
            packed["kwargs"] = _checked(dict(kwargs), what, 1)
    except (KeyError, ValueError, TypeError, AttributeError, ArithmeticError, RecursionError) as error:
        raise BadInput(
            f'{what} is malformed: an object with the one key "{TAG}" holds a type and its content '
            f"({type(error).__name__}: {error})."
        ) from None
    return packed


def _checked(data: Any, what: str, depth: int) -> Any:
    """Packed data as `pack` would write it."""
    kind = cast(type[Any], type(data))
    if depth > _MAX_DEPTH:
        raise BadInput(f"{what} is nested more than {_MAX_DEPTH} levels deep.")
    if kind is list:
        return [_checked(one, what, depth + 1) for one in data]
    if kind is not dict:
        return _pack(data, what, depth)
    if TAG not in data:
        return {_text(key): _checked(one, what, depth + 1) for key, one in data.items()}
    name, content = data[TAG]
    if name in ("int", "float", "text", "bytes"):
        return _pack(_UNPACK[name](content), what, depth)
    if name == "tuple":
        return {TAG: [name, [_checked(one, what, depth + 1) for one in content]]}
    if name in ("set", "frozenset"):
        items = [_checked(one, what, depth + 1) for one in content]
        check_hashes(_hashable(one) for one in items)
        return {TAG: [name, items]}
    if name == "dict":
        pairs = [(_checked(key, what, depth + 1), _checked(one, what, depth + 1)) for key, one in content]
        check_hashes(_hashable(key) for key, _ in pairs)
        if all(type(key) is str and key != TAG for key, _ in pairs):
            return dict(pairs)
        return {TAG: [name, [list(pair) for pair in pairs]]}
    return {TAG: [name, check_kind(name, content, lambda part: _checked(part, what, depth + 1))]}


def _text(key: Any) -> str:
    if type(key) is not str or not is_plain_text(key):
        raise ValueError(f"{preview(key)} is no key of an object: it holds NUL or half a character")
    return key


def _hashable(data: Any) -> Hashable:
    """Packed data as a hashable value: the value itself, or its JSON where restoring it would need a class."""
    if type(data) is dict and TAG in data and data[TAG][0] not in _UNPACK:
        return orjson.dumps(data)
    found = unpack(data)
    hash(found)
    return found


def fingerprint(packed: Any) -> str:
    """A hash of a packed value that is equal in every process for equal values."""
    return hashlib.sha256(orjson.dumps(_ordered(packed), option=orjson.OPT_SORT_KEYS)).hexdigest()


def _ordered(packed: Any) -> Any:
    """Sort the items of packed sets and of packed dicts with other than text keys: their order is arbitrary."""
    kind = cast(type[Any], type(packed))
    if kind is list:
        return [_ordered(one) for one in packed]
    if kind is not dict:
        return packed
    ordered = {key: _ordered(one) for key, one in packed.items()}
    if TAG in ordered and ordered[TAG][0] in ("set", "frozenset", "dict"):
        name, items = ordered[TAG]
        ordered = {TAG: [name, sorted(items, key=lambda one: orjson.dumps(one, option=orjson.OPT_SORT_KEYS))]}
    return ordered


def is_plain_text(text: str) -> bool:
    """Whether jsonb accepts the text: it has no NUL and no lone surrogate."""
    if "\0" in text:
        return False
    return text.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in text)


def is_large(value: int) -> bool:
    """Whether JSON parsers read the integer as a float."""
    return not _SMALLEST <= value <= _LARGEST


def _digits(value: int) -> str:
    return str(value) if value.bit_length() <= _DECIMAL_BITS else hex(value)


def _base64(content: bytes) -> str:
    return base64.b64encode(content).decode("ascii")
