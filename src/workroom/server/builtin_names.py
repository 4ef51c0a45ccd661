"""The names of the built-in extensions, which no other extension may have.

The pool loads the modules of the built-in extensions and sends their names before it starts its processes. A worker
that registers at the first start of the server waits for them, because the database does not have them yet, and so does
a submission to a built-in extension.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable
from concurrent.futures import Future
from typing import TypeVar

from workroom.domain.errors import NotFound, Unavailable

_WAIT_SECONDS = 20.0
_LOOK_SECONDS = 0.2
T = TypeVar("T")


class BuiltinNames:
    """Set by the thread that supervises the pool, read by requests."""

    def __init__(self) -> None:
        self._known: Future[frozenset[tuple[str, str]]] = Future()

    def set(self, names: Iterable[tuple[str, str]]) -> None:
        """The pool has loaded its modules. A later pool of the same server loads the same ones."""
        if not self._known.done():
            self._known.set_result(frozenset(names))

    def lacks(self, category: str, name: str) -> bool:
        """Whether the pool has loaded its modules, and they do not have this extension."""
        return self._known.done() and (category, name) not in self._known.result()

    async def until_registered(self, category: str, name: str, find: Callable[[], Awaitable[T]]) -> T:
        """What `find` returns, once the pool has registered this extension. NotFound if the pool does not have it."""
        deadline = time.monotonic() + _WAIT_SECONDS
        while True:
            try:
                return await find()
            except NotFound:
                if self.lacks(category, name):
                    raise
            if time.monotonic() >= deadline:
                raise Unavailable(f"The server's pool has not offered {category}/{name} yet. Try again in a moment.")
            await asyncio.sleep(_LOOK_SECONDS)

    async def get(self) -> frozenset[tuple[str, str]]:
        """Category and name of each built-in extension."""
        if self._known.done():
            return self._known.result()
        try:
            async with asyncio.timeout(_WAIT_SECONDS):
                return await asyncio.shield(asyncio.wrap_future(self._known))
        except TimeoutError:
            raise Unavailable("The server still loads its built-in extensions. Try again in some seconds.") from None
