"""How the parameters of the built-in extensions are described, so that a form can show ranges and units."""

from __future__ import annotations

from typing import Any

from pydantic import Field

ANGSTROM = "Å"
DEGREE = "°"


def described(default: Any, description: str, **bounds: Any) -> Any:
    """A parameter, and what it means."""
    return Field(default, description=description, **bounds)


def quantity(default: Any, unit: str, description: str, **bounds: Any) -> Any:
    """A parameter with a unit."""
    return Field(default, description=description, json_schema_extra={"unit": unit}, **bounds)
