"""Pydantic fields of the built-in extensions' parameters, with description, range and unit for the form."""

from __future__ import annotations

from typing import Any

from pydantic import Field

ANGSTROM = "Å"
DEGREE = "°"


def described(default: Any, description: str, **bounds: Any) -> Any:
    """A parameter with a description."""
    return Field(default, description=description, **bounds)


def quantity(default: Any, unit: str, description: str, **bounds: Any) -> Any:
    """A parameter with a unit."""
    return Field(default, description=description, json_schema_extra={"unit": unit}, **bounds)


def frame_property(default: Any, description: str, examples: list[str]) -> Any:
    """The name of a value of the frames; the form offers those of the shown frame, and the examples."""
    extra: dict[str, Any] = {"format": "frame-property"}
    return Field(
        default, description=description, min_length=1, max_length=200, examples=examples, json_schema_extra=extra
    )
