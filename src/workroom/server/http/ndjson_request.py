"""Reads a long body of JSON lines into a temporary file, so that a posting is validated before anything is written.

A thread parses and checks the lines, because that would block the event loop.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from tempfile import SpooledTemporaryFile
from typing import Any, Self

import orjson

from workroom.domain.errors import BadInput, TooLarge
from workroom.domain.values.exact_json import parse_packed

_MEMORY_BYTES = 4_000_000
_BATCH_BYTES = 500_000
_LONGEST_LINE_BYTES = 1_200_000


class NdjsonSpool:
    """JSON values, one per line. `convert(value, line_number)` returns what to store; None stores nothing."""

    def __init__(self, convert: Callable[[Any, int], Any], max_bytes: int) -> None:
        self._convert = convert
        self._max_bytes = max_bytes
        self._bytes = 0
        self._file = SpooledTemporaryFile(max_size=_MEMORY_BYTES)  # noqa: SIM115 - __exit__ closes it
        self.lines = 0

    async def fill(self, body: AsyncIterator[bytes]) -> None:
        rest = b""
        async for chunk in body:
            self._bytes += len(chunk)
            if self._bytes > self._max_bytes:
                raise TooLarge(f"The posting takes more than {self._max_bytes:,} bytes. Split it into several.")
            rest += chunk
            if len(rest) >= _BATCH_BYTES:
                lines, newline, rest = rest.rpartition(b"\n")
                await asyncio.to_thread(self._store, lines + newline)
                if len(rest) > _LONGEST_LINE_BYTES:
                    raise TooLarge(f"Line {self.lines + 1} takes more than {_LONGEST_LINE_BYTES:,} bytes.")
        await asyncio.to_thread(self._store, rest)

    def _store(self, lines: bytes) -> None:
        stored: list[bytes] = []
        for line in lines.split(b"\n"):
            if not line.strip():
                continue
            try:
                value = parse_packed(line)
            except orjson.JSONDecodeError as error:
                raise BadInput(f"Line {self.lines + 1} is not valid JSON: {error}.") from None
            converted = self._convert(value, self.lines)
            self.lines += 1
            if converted is not None:
                stored.append(orjson.dumps(converted) + b"\n")
        self._file.write(b"".join(stored))

    def __iter__(self) -> Iterator[Any]:
        """The stored values. Can be iterated several times."""
        self._file.seek(0)
        for line in self._file:
            yield orjson.loads(line)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()
