"""The facts that a Celery worker writes to the database, for the server that publishes jobs."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from typing import Any, NamedTuple


class CeleryNode(NamedTuple):
    """One Celery worker. Several rows of workers belong to it: one for each function process, one for extensions."""

    name: str
    slots: int  # how many tasks Celery runs at a time
    queues: tuple[str, ...]  # of the broker, which it reads

    @classmethod
    def here(cls, slots: int, queues: Sequence[str]) -> CeleryNode:
        return cls(f"{platform.node()} {os.getpid()}", slots, tuple(queues))

    def as_info(self) -> dict[str, Any]:
        return {"node": self.name, "slots": self.slots, "queues": list(self.queues)}
