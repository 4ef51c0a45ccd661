"""Extensions as classes, and the schemas they become."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, ClassVar, Literal

import pytest
from pydantic import BaseModel, Field, ValidationError

from workroom.actions.extensions.arguments import check_arguments, check_schema
from workroom.client.extension import Category, Extension, identity, is_runnable, schema_of
from workroom.domain.errors import BadInput, InvalidArguments, all_errors
from workroom.domain.schema_hash import schema_hash


class Method(StrEnum):
    FAST = "fast"
    EXACT = "exact"


class Box(BaseModel):
    a: float = 1.0
    b: float = 1.0


class Sphere(BaseModel):
    kind: Literal["sphere"] = "sphere"
    radius: float


class Cube(BaseModel):
    kind: Literal["cube"] = "cube"
    side: float


class Everything(Extension):
    """Does a bit of everything."""

    category = Category.MODIFIER
    distance: float = Field(default=1.0, ge=0, le=10, description="How far", json_schema_extra={"unit": "Å"})
    method: Method = Method.FAST
    box: Box = Box()
    label: str | None = None
    region: Annotated[Sphere | Cube, Field(discriminator="kind")]

    def run(self, vis: Any, **kwargs: Any) -> None: ...


async def fits(data: dict[str, Any]) -> None:
    schema = schema_of(Everything)
    await check_arguments(schema, schema_hash(schema), data)


async def test_the_schema_tells_a_form_what_it_needs() -> None:
    schema = schema_of(Everything)
    await check_schema("Everything", schema)
    fields = schema["properties"]
    assert schema["description"] == "Does a bit of everything."
    assert fields["distance"]["description"] == "How far" and fields["distance"]["unit"] == "Å"
    assert (fields["distance"]["minimum"], fields["distance"]["maximum"]) == (0, 10)
    assert schema["$defs"]["Method"]["enum"] == ["fast", "exact"]
    assert fields["label"]["anyOf"] == [{"type": "string"}, {"type": "null"}]
    assert fields["region"]["discriminator"]["propertyName"] == "kind"
    assert schema["required"] == ["region"]
    assert "category" not in fields


async def test_the_server_takes_what_the_class_takes_and_refuses_what_it_refuses() -> None:
    await fits({"region": {"kind": "cube", "side": 1}})
    await fits(Everything(region=Sphere(radius=2), label="x").model_dump(mode="json"))
    for wrong in (
        {},
        {"region": {"kind": "cone"}},
        {"region": {"kind": "cube", "side": 1}, "distance": 11},
        {"region": {"kind": "cube", "side": 1}, "method": "slow"},
        {"region": {"kind": "cube", "side": 1}, "distanse": 1},
    ):
        with pytest.raises(InvalidArguments):
            await fits(wrong)
        with pytest.raises(ValidationError):
            Everything.model_validate(wrong)


def test_the_category_is_an_attribute_of_the_class_with_or_without_annotation() -> None:
    class Plain(Extension):
        category = "my-team"

        def run(self, vis: Any, **kwargs: Any) -> None: ...

    class Marked(Extension):
        category: ClassVar[str] = Category.ANALYSIS

        def run(self, vis: Any, **kwargs: Any) -> None: ...

    assert identity(Plain) == ("my-team", "Plain")
    assert identity(Marked) == ("analysis", "Marked")
    assert identity(Everything) == ("modifiers", "Everything")


def test_a_class_may_name_its_extension_otherwise() -> None:
    class Nothing(Extension, name="None"):
        category = Category.SELECTION
        name: str = "a parameter may be called so all the same"

        def run(self, vis: Any, **kwargs: Any) -> None: ...

    class Derived(Nothing): ...

    assert identity(Nothing) == ("selections", "None") and schema_of(Nothing)["title"] == "None"
    assert identity(Derived) == ("selections", "Derived") and schema_of(Derived)["title"] == "Derived"
    with pytest.raises(BadInput, match="no extension name"):

        class Wrong(Extension, name="not a name"):  # pyright: ignore[reportUnusedClass]
            category = Category.SELECTION


def test_a_category_in_the_brackets_is_told_where_it_belongs() -> None:
    with pytest.raises(TypeError, match=r"Misplaced: write `category = Category\.MODIFIER` inside the class"):

        class Misplaced(Extension, category=Category.MODIFIER):  # pyright: ignore[reportGeneralTypeIssues, reportUnusedClass, reportCallIssue]
            def run(self, vis: Any, **kwargs: Any) -> None:
                return None


def test_a_category_that_would_be_a_parameter_is_refused() -> None:
    with pytest.raises(TypeError, match="without an annotation"):

        class Wrong(Extension):  # pyright: ignore[reportUnusedClass]
            category: str = "modifiers"  # pyright: ignore[reportIncompatibleVariableOverride]

            def run(self, vis: Any, **kwargs: Any) -> None: ...


def test_a_base_without_run_or_category_is_not_offered() -> None:
    class Base(Extension):
        category = Category.MODIFIER

    class Nowhere(Extension):
        def run(self, vis: Any, **kwargs: Any) -> None: ...

    class Child(Base):
        def run(self, vis: Any, **kwargs: Any) -> None: ...

    assert not is_runnable(Base) and not is_runnable(Nowhere) and not is_runnable(Extension)
    assert is_runnable(Child)
    with pytest.raises(BadInput, match="no category"):
        identity(Nowhere)
    with pytest.raises(TypeError):
        Base()  # pyright: ignore[reportAbstractUsage]


def test_the_package_offers_what_its_stub_says() -> None:
    import ast
    from pathlib import Path

    import workroom

    stub = ast.parse((Path(workroom.__file__).parent / "__init__.pyi").read_text())
    (listed,) = (
        ast.literal_eval(node.value)
        for node in stub.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
    )
    assert sorted(dir(workroom)) == sorted(listed)
    for name in listed:
        assert getattr(workroom, name) is not None
    errors = {one.__name__ for one in all_errors() if one.__module__ == "workroom.domain.errors"}
    assert errors - {*listed} == set(), "each error can be caught by a name of workroom"
