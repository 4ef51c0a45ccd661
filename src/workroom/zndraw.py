"""Names of ZnDraw: a script that was written for it runs with a changed import line.

from workroom.zndraw import Category, Extension, ZnDraw
"""

from __future__ import annotations

from typing import Any, Self

from workroom.client.extension import Category, Extension
from workroom.worker.remote.offering_room import Room

__all__ = ["Category", "Extension", "ZnDraw"]


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
        **_: Any,
    ) -> None:
        super().__init__(room, url, user, password, token, auto_pickup_jobs=auto_pickup_jobs)

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
