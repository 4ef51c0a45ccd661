"""Names of ZnDraw, for scripts that were written for it.

from workroom.zndraw import Category, Extension, ZnDraw

The trajectory as a list of `ase.Atoms`, selections, bookmarks, geometries, figures, the step, chat and extensions have
the names that ZnDraw gives them. What Workroom does not have is refused, with what to use instead;
docs/howto/coming_from_zndraw.md lists all calls.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any, Self

from workroom.client.extension import Category, Extension
from workroom.worker.remote.offering_room import Room

__all__ = ["Category", "Extension", "ZnDraw"]


_PARAMETERS = ("url", "room", "user", "password", "token", "auto_pickup_jobs")
_INSTEAD = {
    "copy_from": ": use `workroom rooms duplicate ROOM NEW`",
    "template": ": use `workroom rooms duplicate ROOM NEW`",
    "description": ": use `workroom rooms set`",
    "maximum_message_size": ": frames are streamed",
}


def _similar(name: str, known: Iterable[str]) -> str:
    close = get_close_matches(name, known, n=1)
    return f": did you mean {close[0]!r}?" if close else ""


class ZnDraw(Room):
    """A `Room` with ZnDraw's constructor."""

    def __init__(
        self,
        url: str | None = None,
        room: str = "default",
        user: str | None = None,
        password: str | None = None,
        token: str | None = None,
        *,
        auto_pickup_jobs: bool = True,
        **unknown: Any,
    ) -> None:
        for name in unknown:
            raise TypeError(f"ZnDraw() takes no {name!r}{_INSTEAD.get(name) or _similar(name, _PARAMETERS)}.")
        super().__init__(room, url, user, password, token, auto_pickup_jobs=auto_pickup_jobs)
        self._complete = True

    def __setattr__(self, name: str, value: Any) -> None:
        """Refuse names that do not exist: a misspelt one would be set without any effect."""
        known = name.startswith("_") or name in self.__dict__ or hasattr(type(self), name)
        if not known and self.__dict__.get("_complete"):
            names = [each for each in dir(type(self)) if not each.startswith("_")]
            raise AttributeError(f"ZnDraw has no {name!r}{_similar(name, names)}.", name=name, obj=self)
        super().__setattr__(name, value)

    @classmethod
    def for_job_execution(
        cls, url: str | None = None, room: str = "default", user: str | None = None, password: str | None = None
    ) -> Self:
        """A room that accepts no jobs. Workers do not need it: rooms of their jobs share the worker's connections."""
        return cls(url, room, user, password, auto_pickup_jobs=False)

    @property
    def room(self) -> str:
        return self.name

    def register(self, extension: type[Extension], public: bool = False, **settings: Any) -> None:
        """Offer an extension, as `register_extension` does."""
        self.register_extension(extension, public=public, **settings)
