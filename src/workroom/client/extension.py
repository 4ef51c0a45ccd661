"""Extensions: classes whose fields are parameters and whose `run` works on a room."""

from __future__ import annotations

import inspect
from abc import abstractmethod
from enum import StrEnum
from typing import TYPE_CHECKING, Any, ClassVar

from pydantic import BaseModel, ConfigDict

from workroom.client.choices_decorator import check_choices, with_choices
from workroom.domain.errors import BadInput
from workroom.domain.jobs.resources import Resources
from workroom.domain.names import category_name, extension_name

if TYPE_CHECKING:  # modules of extensions are imported by every worker, so they stay light
    from workroom import Room


class Category(StrEnum):
    """The usual categories. Any other lower-case name is allowed too."""

    MODIFIER = "modifiers"
    SELECTION = "selections"
    ANALYSIS = "analysis"
    SETTINGS = "settings"


class Extension(BaseModel):
    """The base class of all extensions. Its fields are the parameters, `run` does the work.

    The web app shows the fields as a form. Give them descriptions, ranges and units with `Field`, for example
    `Field(1.0, ge=0, description="How far", json_schema_extra={"unit": "Å"})`.
    `resources = {"gpus": 1, "memory_gb": 16}` in the class is what a job of it needs of its worker.
    The name of an extension is its class name, unless the class sets another: `class Nothing(Extension, name="None")`.
    """

    model_config = ConfigDict(extra="forbid")

    category: ClassVar[Category | str]
    resources: ClassVar[Resources] = {}
    __extension_name__: ClassVar[str | None] = None

    def __init_subclass__(cls, *, name: str | None = None, **kwargs: Any) -> None:
        if "category" in kwargs:
            fix = "write `category = Category.MODIFIER` inside the class; the brackets take only `name=`."
            raise TypeError(f"{cls.__name__}: {fix}")
        super().__init_subclass__(**kwargs)
        # Not inherited: a subclass is named after its own class.
        cls.__extension_name__ = name and extension_name(name)

    @abstractmethod
    def run(self, vis: Room, **kwargs: Any) -> Any:
        """Run the extension in the room `vis`. The return value is the job's result."""

    @classmethod
    def __pydantic_init_subclass__(cls, *, name: str | None = None, **kwargs: Any) -> None:
        super().__pydantic_init_subclass__(**kwargs)
        if "category" in cls.model_fields:
            raise TypeError(
                f"{cls.__name__}.category is no parameter: write `category = Category.MODIFIER` without an annotation."
            )
        check_choices(cls, cls.model_fields)


def identity(extension: type[Extension]) -> tuple[str, str]:
    """The category and the name of an extension."""
    category = getattr(extension, "category", None)
    if category is None:
        raise BadInput(f"{extension.__name__} has no category: write `category = Category.MODIFIER` in the class.")
    return category_name(str(category)), extension_name(extension.__extension_name__ or extension.__name__)


def schema_of(extension: type[Extension]) -> dict[str, Any]:
    """The JSON schema of an extension's parameters."""
    schema = with_choices(extension, extension.model_json_schema())
    if extension.__extension_name__ is not None and "title" not in extension.model_config:
        schema["title"] = extension.__extension_name__
    return schema


def is_runnable(thing: object) -> bool:
    """Whether this is a concrete extension class with a category, which a worker can offer."""
    return (
        inspect.isclass(thing)
        and issubclass(thing, Extension)
        and not inspect.isabstract(thing)
        and getattr(thing, "category", None) is not None
    )
