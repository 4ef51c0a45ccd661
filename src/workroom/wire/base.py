"""What every message has in common."""

from __future__ import annotations

from typing import Annotated, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

Item = TypeVar("Item")

# The database cannot keep the character NUL.
WITHOUT_NUL = r"^[^\x00]*$"
Text = Annotated[str, Field(pattern=WITHOUT_NUL)]
# A time written by `datetime.isoformat()`, as socket events write it.
Timestamp = Annotated[str, Field(json_schema_extra={"format": "date-time"})]
# Where an extension is visible. A posted function belongs to no room.
ExtensionScope = Annotated[str, Field(json_schema_extra={"enum": ["room", "global", "builtin"]})]
Scope = Annotated[str, Field(json_schema_extra={"enum": ["room", "global", "builtin", "function"]})]


class Answer(BaseModel):
    """Something a server says."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, from_attributes=True)


class Request(BaseModel):
    """Something a client says."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="forbid")


class Problem(Answer):
    """An error, as RFC 9457 has it; `code` is stable."""

    type: str = "about:blank"
    title: str
    status: int
    detail: str
    code: str


class Page(Answer, Generic[Item]):
    """Part of a longer list."""

    items: list[Item]
    total: int = Field(description="How many there are in all.")
    limit: int
    offset: int
