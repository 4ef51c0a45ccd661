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
