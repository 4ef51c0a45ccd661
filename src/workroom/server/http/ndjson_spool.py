"""A long body, line by line, on disk: read whole before anything is written, however long it is.

Checked on its way in, in a thread beside the event loop, which has others to serve.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from tempfile import SpooledTemporaryFile
from typing import Any, Self

import orjson

from workroom.domain.errors import BadInput, TooLarge

_IN_MEMORY = 4_000_000
_AT_ONCE = 500_000
_LONGEST_LINE = 1_200_000


class NdjsonSpool:
    """JSON values, one a line. `take` turns each into what is kept of it; it is told the value and its number."""

    def __init__(self, take: Callable[[Any, int], Any], most_bytes: int) -> None:
        self._take = take
        self._most = most_bytes
        self._bytes = 0
        self._file = SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115 - closed on leaving
        self.lines = 0

    async def fill(self, body: AsyncIterator[bytes]) -> None:
        rest = b""
        async for piece in body:
            self._bytes += len(piece)
            if self._bytes > self._most:
                raise TooLarge(f"The posting takes more than {self._most:,} bytes. Make several of it.")
            rest += piece
            if len(rest) >= _AT_ONCE:
                whole, newline, rest = rest.rpartition(b"\n")
                await asyncio.to_thread(self._keep, whole + newline)
                if len(rest) > _LONGEST_LINE:
                    raise TooLarge(f"Line {self.lines + 1} takes more than {_LONGEST_LINE:,} bytes.")
        await asyncio.to_thread(self._keep, rest)

    def _keep(self, whole: bytes) -> None:
        kept: list[bytes] = []
        for line in whole.split(b"\n"):
            if not line.strip():
                continue
            try:
                value = orjson.loads(line)
            except orjson.JSONDecodeError as error:
                raise BadInput(f"Line {self.lines + 1} is not valid JSON: {error}.") from None
            taken = self._take(value, self.lines)
            self.lines += 1
            if taken is not None:
                kept.append(orjson.dumps(taken) + b"\n")
        self._file.write(b"".join(kept))

    def __iter__(self) -> Iterator[Any]:
        """What was kept; as often as asked for."""
        self._file.seek(0)
        for line in self._file:
            yield orjson.loads(line)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()
