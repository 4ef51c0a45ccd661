"""The calls of a posting, read and encoded in chunks: large enough to be fast, small enough for memory."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import Any, NamedTuple

from workroom.actions.encoding import check_size, encode
from workroom.domain import limits
from workroom.domain.errors import Unavailable

PIECE = 5_000  # calls per chunk; two chunks are in memory, because one is read while the other is written
_BYTES = 16_000_000
_WHAT = "The arguments"


class Chunk(NamedTuple):
    size: int
    arguments: str  # a JSON array
    keys: Sequence[str | None] = ()  # with unique keys: one for each


class ChunkedCalls:
    """The calls of a posting. A retried transaction reads them again, which a generator does not allow.

    With `keyed`, each call is a pair of arguments and unique key.
    """

    def __init__(self, calls: Iterable[Any], *, keyed: bool = False) -> None:
        self._calls = calls
        self._keyed = keyed
        self._rest = iter(calls)
        self._once = self._rest is calls
        self._first: list[Chunk] | None = list(_encoded_calls(list(islice(self._rest, PIECE)), keyed))
        self._next = list(islice(self._rest, 1))

    @property
    def only(self) -> Chunk | None:
        """The only chunk, if there is just one."""
        return self._first[0] if self._first and len(self._first) == 1 and not self._next else None

    async def read(self) -> AsyncGenerator[Chunk]:
        """Yield the chunks; the next one is read and encoded in a thread while the database writes the last."""
        rest = self._restart()
        ahead = asyncio.ensure_future(asyncio.to_thread(next, rest, None))
        try:
            while (chunk := await ahead) is not None:
                ahead = asyncio.ensure_future(asyncio.to_thread(next, rest, None))
                yield chunk
                del chunk
        finally:
            await asyncio.gather(ahead, return_exceptions=True)

    def _restart(self) -> Iterator[Chunk]:
        if self._first is not None:
            first, self._first = self._first, None
            while first:
                yield first.pop(0)  # removed, so that its memory is freed
            yield from pieces(chain(self._next, self._rest), keyed=self._keyed)
            return
        if self._once:
            raise Unavailable(
                "The database was busy with the same rows, and the arguments can be read only once. Post again."
            )
        yield from pieces(self._calls, keyed=self._keyed)


def pieces(calls: Iterable[Any], *, keyed: bool = False) -> Iterator[Chunk]:
    rest = iter(calls)
    while some := list(islice(rest, PIECE)):
        yield from _encoded_calls(some, keyed)


def _encoded_calls(some: Sequence[Any], keyed: bool) -> Iterator[Chunk]:
    if not some:
        return iter(())
    if keyed:
        return _encoded([call[0] for call in some], [call[1] for call in some])
    return _encoded(some, ())


def _encoded(some: Sequence[Any], keys: Sequence[str | None]) -> Iterator[Chunk]:
    """Encode calls as one chunk, or as several when they exceed the size of a statement."""
    encoded = encode(some, _WHAT)
    if len(encoded) > limits.ARGUMENT_BYTES:
        # Together they are too large; the limit holds for each.
        for arguments in some:
            check_size(encode(arguments, _WHAT), _WHAT, limits.ARGUMENT_BYTES)
    if len(encoded) > _BYTES and len(some) > 1:
        half = len(some) // 2
        yield from _encoded(some[:half], keys[:half])
        yield from _encoded(some[half:], keys[half:])
    else:
        yield Chunk(len(some), encoded.decode(), keys)
