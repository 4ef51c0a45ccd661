"""Base classes of all messages, and the types they share."""

from __future__ import annotations

from typing import Annotated, Any, Generic, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ModelWrapValidatorHandler, ValidationError, model_validator
from pydantic.alias_generators import to_camel

Item = TypeVar("Item")

_MOST_FAULTS = 100

# The version of the server, in the headers of every response below /api/.
VERSION_HEADER = "x-workroom-version"

# PostgreSQL cannot store the character NUL.
WITHOUT_NUL = r"^[^\x00]*$"
Text = Annotated[str, Field(pattern=WITHOUT_NUL)]
# A time written by `datetime.isoformat()`, as socket events write it.
Timestamp = Annotated[str, Field(json_schema_extra={"format": "date-time"})]
# Where an extension is visible. A posted function belongs to no room.
ExtensionScope = Annotated[str, Field(json_schema_extra={"enum": ["room", "global", "builtin"]})]
Scope = Annotated[str, Field(json_schema_extra={"enum": ["room", "global", "builtin", "function"]})]


class Answer(BaseModel):
    """A response of the server."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, from_attributes=True)


class Request(BaseModel):
    """A request of a client. Unknown fields are errors."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="forbid")

    @model_validator(mode="wrap")
    @classmethod
    def _count_faults(cls, value: Any, validate: ModelWrapValidatorHandler[Self]) -> Self:
        """Report very many faults as one. To describe each would take seconds."""
        try:
            return validate(value)
        except ValidationError as error:
            if error.error_count() <= _MOST_FAULTS:
                raise
            raise ValueError(f"{error.error_count():,} fields or items are invalid") from None


class Problem(Answer):
    """An error as in RFC 9457. `code` is stable."""

    type: str = "about:blank"
    title: str
    status: int
    detail: str
    code: str


class Page(Answer, Generic[Item]):
    """A page of a longer list."""

    items: list[Item]
    total: int = Field(description="The number of items on all pages.")
    limit: int
    offset: int
