"""Responses of the health checks."""

from __future__ import annotations

from typing import Literal

from workroom.wire.base import Answer


class Health(Answer):
    """The process answers requests."""

    status: Literal["ok"] = "ok"
    version: str


class Readiness(Answer):
    """The process answers requests, and its database answers and can write."""

    status: Literal["ready"] = "ready"
