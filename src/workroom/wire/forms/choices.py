"""Questions of forms that a worker answers: which values a field can have."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from workroom.wire.base import Answer, Request


class Choice(Answer):
    """One value that a field can have."""

    value: bool | int | float | str
    label: str


class ChoicesQuestion(Request):
    """Which values a field can have, given the present values of the form."""

    field: str = Field(min_length=1, max_length=200)
    data: dict[str, Any] = Field(default_factory=dict[str, Any])
    scope: str | None = Field(None, description="room, global or builtin; the first that matches if omitted.")


class ChoicesAnswer(Answer):
    choices: list[Choice]
