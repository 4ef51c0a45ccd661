"""Values of a form that people save under a name."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from pydantic import AwareDatetime, Field

from workroom.wire.base import Answer, Request


class PresetValues(Request):
    """The values of a form."""

    data: dict[str, Any]


class Preset(Answer):
    """Values of a form that a person saved under a name."""

    name: str
    data: dict[str, Any]
    user_id: UUID | None
    user: str | None = Field(description="The name of the account that saved it.")
    updated_at: AwareDatetime


class Presets(Answer):
    items: list[Preset]
