"""The calls of a posting, packed for the database: positional and keyword arguments, and their unique keys."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from workroom.domain.errors import BadInput
from workroom.domain.limits import KEY_LENGTH


class Calls:
    """Packs the calls of a posting one by one as they are read."""

    def __init__(self, args: Iterable[Any] | None, kwargs: Iterable[Any] | None) -> None:
        self._args = args
        self._kwargs = kwargs

    @classmethod
    def from_args(cls, args: Iterable[Any], kwargs: Iterable[Any] | None) -> Iterable[Any]:
        """Iterable again if `args` and `kwargs` are, since a transaction that is repeated reads the calls again."""
        if isinstance(kwargs, Mapping):
            raise BadInput("kwargs is one dict for each call: [{…}, {…}], not a single dict.")
        no_args = isinstance(args, tuple) and not args
        calls = cls(None if no_args and kwargs is not None else args, kwargs)
        single_use = any(source is not None and iter(source) is source for source in (calls._args, kwargs))
        return iter(calls) if single_use else calls

    def __iter__(self) -> Iterator[Any]:
        from workroom.domain.values.codec import pack_call

        if self._kwargs is None:
            for position, args in enumerate(() if self._args is None else self._args):
                yield pack_call(args, None, position)
            return
        if self._args is None:
            for position, kwargs in enumerate(self._kwargs):
                yield pack_call((), _keywords(kwargs, position), position)
            return
        pairs = _paired(self._args, self._kwargs, "args and kwargs must have as many items")
        for position, (args, kwargs) in enumerate(pairs):
            yield pack_call(args, _keywords(kwargs, position), position)


_END: Any = object()


def _paired(first: Iterable[Any], second: Iterable[Any], rule: str) -> Iterator[tuple[Any, Any]]:
    """Like `zip(strict=True)`, whose ValueError could also be one of the iterables."""
    ones, others = iter(first), iter(second)
    position = 0
    while True:
        one, other = next(ones, _END), next(others, _END)
        if one is _END and other is _END:
            return
        if one is _END or other is _END:
            shorter = "first" if one is _END else "second"
            raise BadInput(f"{rule}: the {shorter} ends after {position:,}.")
        yield one, other
        position += 1


def _keywords(kwargs: Any, position: int) -> dict[str, Any]:
    try:
        return dict(kwargs)
    except (TypeError, ValueError):
        raise BadInput(f"Call {position}: give the keyword arguments as a dict, not {kwargs!r:.60}.") from None


class KeyedCalls:
    """Pairs each call with its unique key."""

    def __init__(self, calls: Iterable[Any], unique: Any) -> None:
        self._calls = calls
        self._unique = unique

    @classmethod
    def from_keys(cls, calls: Iterable[Any], unique: Any) -> Iterable[Any]:
        if isinstance(unique, bytes | Mapping) or not (
            unique is True or callable(unique) or hasattr(unique, "__iter__")
        ):
            raise BadInput(
                "unique is True, a function of the arguments, an iterable with one key for each call, or a str: "
                "the key of the whole posting."
            )
        keyed = cls(calls, unique)
        keys: Any = unique if hasattr(unique, "__iter__") else ()
        single_use = iter(calls) is calls or iter(keys) is keys
        return iter(keyed) if single_use else keyed

    def __iter__(self) -> Iterator[tuple[Any, str | None]]:
        from workroom.domain.values.codec import fingerprint, unpack_call

        if self._unique is True:
            for call in self._calls:
                yield call, fingerprint(call)
        elif callable(self._unique):
            for call in self._calls:
                args, kwargs = unpack_call(call)
                yield call, _key(self._unique(*args, **kwargs))
        else:
            for call, key in _paired(self._calls, self._unique, "unique must have one key for each call"):
                yield call, _key(key)


def _key(value: Any) -> str | None:
    """The stored key: a short text as it is, anything else as its fingerprint."""
    from workroom.domain.values.codec import fingerprint, pack

    if value is None or (isinstance(value, str) and 1 <= len(value) <= KEY_LENGTH and "\0" not in value):
        return value
    return fingerprint(pack(value, "The unique key"))
