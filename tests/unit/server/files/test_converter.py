"""A file that its client does not read holds no place among the processes that write files."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import aclosing

from workroom.server.files.converter import Converter

SIZE = 3_000_000  # more than a pipe holds
PROGRAM = f"import sys; sys.stdin.buffer.read(); sys.stdout.buffer.write(bytes({SIZE}))"


async def no_frames() -> AsyncIterator[bytes]:
    for piece in (b"",):
        yield piece


async def test_unread_files_leave_their_place_to_others() -> None:
    converter = Converter([sys.executable, "-c", PROGRAM], at_once=1)
    async with aclosing(converter.convert({}, no_frames())) as unread:
        first = await anext(unread)
        async with asyncio.timeout(60), aclosing(converter.convert({}, no_frames())) as other:
            assert sum([len(chunk) async for chunk in other]) == SIZE
        assert len(first) + sum([len(chunk) async for chunk in unread]) == SIZE
