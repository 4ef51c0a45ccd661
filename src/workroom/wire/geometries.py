"""Geometries that the viewer draws: one model for each type.

In JSON a geometry is `{type, data}`. `data` has the fields of the model; omitted fields have their defaults. The route
`geometries/schemas` serves the schemas with units and limits, and the web app renders forms from them.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.alias_generators import to_camel

from workroom.domain.errors import BadInput, InvalidArguments
from workroom.wire.base import Request

_MOST_POINTS = 10_000

Finite = Annotated[float, Field(allow_inf_nan=False, ge=-1e9, le=1e9)]
Point = Annotated[tuple[Finite, Finite, Finite], Field(description="x, y, z", json_schema_extra={"unit": "Å"})]
Points = Annotated[list[Point], Field(max_length=_MOST_POINTS, fail_fast=True)]
FrameKey = Annotated[
    str,
    Field(
        pattern=r"^(arrays|calc|info)\.[^\x00]{1,100}$",
        description="A value of the frame, e.g. arrays.positions or calc.forces.",
        json_schema_extra={"format": "frame-key"},
    ),
]
Colour = Annotated[str, Field(pattern=r"^#[0-9a-fA-F]{6}$", json_schema_extra={"format": "color"})]
Opacity = Annotated[float, Field(ge=0, le=1, description="0 cannot be seen, 1 hides what is behind.")]


def _title(name: str, _: object) -> str:
    """The label of a field in a form, spelt as all texts of the app are."""
    return name.replace("_", " ").replace("color", "colour").capitalize()


class _Model(BaseModel):
    model_config = ConfigDict(
        alias_generator=to_camel,
        field_title_generator=_title,
        populate_by_name=True,
        extra="forbid",
        frozen=True,
        validate_default=True,
    )


class ColourBy(_Model):
    """Colours by a value of each atom."""

    key: FrameKey = Field(description="The value, e.g. arrays.charges or calc.forces (its length).")
    colormap: Literal["viridis", "plasma", "magma", "cividis", "turbo", "coolwarm", "greys"] = "viridis"
    minimum: Finite | None = Field(default=None, description="The value at the lower end; left out: the smallest.")
    maximum: Finite | None = Field(default=None, description="The value at the upper end; left out: the largest.")


class Geometry(_Model):
    """Fields of all geometries."""

    type: ClassVar[str]

    visible: bool = Field(default=True, description="Whether it is drawn.")


class Spheres(Geometry):
    """Atoms as spheres."""

    type: ClassVar[str] = "spheres"

    position: FrameKey | Points = Field(default="arrays.positions", description="Their centres.")
    radius: Literal["covalent", "vdw"] | Annotated[float, Field(gt=0, le=100)] = Field(
        default="covalent", description="By element, or the same for all.", json_schema_extra={"unit": "Å"}
    )
    scale: float = Field(default=0.7, gt=0, le=10, description="Times the radius.")
    color: Literal["element"] | Colour | ColourBy = Field(
        default="element", description="By element, one, or by a value."
    )
    opacity: Opacity = 1.0
    material: Literal["matte", "shiny", "flat", "glass"] = "matte"
    selection_color: Colour = Field(default="#ffb300", description="Of those that are selected.")


class Bonds(Geometry):
    """Bonds between neighbours, as cylinders: `info.connectivity` of the frame, otherwise found by distance."""

    type: ClassVar[str] = "bonds"

    cutoff: float = Field(
        default=1.2, gt=0, le=5, description="Atoms closer than this times their covalent radii are bonded."
    )
    periodic: bool = Field(default=True, description="Whether bonds cross the cell's faces.")
    radius: float = Field(default=0.12, gt=0, le=10, json_schema_extra={"unit": "Å"})


class Cell(Geometry):
    """The edges of the cell."""

    type: ClassVar[str] = "cell"

    color: Colour = "#808080"


class Arrows(Geometry):
    """Arrows, e.g. forces on atoms."""

    type: ClassVar[str] = "arrows"

    position: FrameKey | Points = Field(default="arrays.positions", description="Where they start.")
    direction: FrameKey | Points = Field(default="calc.forces", description="Where they point, and how far.")
    scale: float = Field(
        default=1.0, gt=0, le=1e6, description="Length for a vector of length one.", json_schema_extra={"unit": "Å"}
    )
    radius: float = Field(default=0.06, gt=0, le=10, json_schema_extra={"unit": "Å"})
    color: Colour | None = Field(default="#e53935", description="Left out: by length.")


class Box(Geometry):
    """Boxes."""

    type: ClassVar[str] = "box"

    position: Points = Field(default=[(0.0, 0.0, 0.0)], min_length=1, description="Their centres.")
    size: tuple[
        Annotated[float, Field(gt=0, le=1e6)],
        Annotated[float, Field(gt=0, le=1e6)],
        Annotated[float, Field(gt=0, le=1e6)],
    ] = Field(default=(1.0, 1.0, 1.0), json_schema_extra={"unit": "Å"})
    rotation: tuple[Finite, Finite, Finite] = Field(
        default=(0.0, 0.0, 0.0), description="About x, then y, then z.", json_schema_extra={"unit": "°"}
    )
    color: Colour = "#1e88e5"
    opacity: Opacity = 0.5
    wireframe: bool = Field(default=False, description="Only the edges.")


class Plane(Geometry):
    """A rectangle."""

    type: ClassVar[str] = "plane"

    position: Point = Field(default=(0.0, 0.0, 0.0), description="Its centre.")
    normal: tuple[Finite, Finite, Finite] = Field(default=(0.0, 0.0, 1.0), description="What it is perpendicular to.")
    size: tuple[Annotated[float, Field(gt=0, le=1e6)], Annotated[float, Field(gt=0, le=1e6)]] = Field(
        default=(10.0, 10.0), json_schema_extra={"unit": "Å"}
    )
    color: Colour = "#43a047"
    opacity: Opacity = 0.5


class Curve(Geometry):
    """A line through points, straight or smooth; also a path for other geometries and for the camera."""

    type: ClassVar[str] = "curve"

    points: Points = Field(default_factory=list[tuple[float, float, float]], description="What it goes through.")
    smooth: bool = Field(default=True, description="Round, or straight from point to point.")
    closed: bool = Field(default=False, description="Whether it ends where it starts.")
    divisions: int = Field(default=20, ge=1, le=200, description="Pieces between two points.")
    thickness: float = Field(default=2.0, gt=0, le=50, json_schema_extra={"unit": "px"})
    color: Colour = "#8e24aa"
    handles: bool = Field(default=True, description="Whether its points are shown, to be dragged.")


class Camera(Geometry):
    """The position of the camera."""

    type: ClassVar[str] = "camera"

    position: Point = (10.0, 10.0, 30.0)
    target: Point = Field(default=(0.0, 0.0, 0.0), description="What is in the middle of the picture.")
    up: tuple[Finite, Finite, Finite] = Field(default=(0.0, 1.0, 0.0), description="Which way is up.")
    zoom: float = Field(default=1.0, gt=0, le=1000)


class Floor(Geometry):
    """A floor below everything."""

    type: ClassVar[str] = "floor"

    height: Literal["auto"] | Finite = Field(
        default="auto", description="Where it is; auto: just below the atoms.", json_schema_extra={"unit": "Å"}
    )
    size: float = Field(default=100.0, gt=0, le=1e6, json_schema_extra={"unit": "Å"})
    grid: bool = Field(default=True, description="Whether lines are drawn on it.")
    spacing: float = Field(default=5.0, gt=0, le=1e5, description="Between two lines.", json_schema_extra={"unit": "Å"})
    color: Colour = "#9e9e9e"
    opacity: Opacity = 0.4


class Isosurface(Geometry):
    """Where a value on a grid that fills the cell, e.g. a density, is as large as the isovalue."""

    type: ClassVar[str] = "isosurface"

    grid: FrameKey = Field(default="info.density", description="An array of three dimensions.")
    isovalue: Finite = 0.05
    both_signs: bool = Field(default=True, description="Whether the surface at minus the isovalue is drawn too.")
    color: Colour = "#1565c0"
    negative_color: Colour = "#c62828"
    opacity: Opacity = 0.6
    step: int = Field(default=1, ge=1, le=16, description="Every how many points of the grid are used.")


TYPES: dict[str, type[Geometry]] = {
    model.type: model for model in (Spheres, Bonds, Cell, Arrows, Box, Plane, Curve, Camera, Floor, Isosurface)
}


class GeometryBody(Request):
    """A geometry in JSON."""

    type: str = Field(max_length=50, examples=["spheres"], description=f"One of {', '.join(TYPES)}.")
    data: dict[str, Any] = Field(default_factory=dict[str, Any], description="As `geometries/schemas` says.")


def parse_geometry(type: str, data: dict[str, Any]) -> Geometry:
    """The geometry of this type. Raises InvalidArguments for an invalid field."""
    model = TYPES.get(type)
    if model is None:
        raise BadInput(f"There is no geometry of type {type[:50]!r}: use one of {', '.join(TYPES)}.")
    try:
        return model.model_validate(data)
    except ValidationError as error:
        faults = [
            {"path": ".".join(str(part) for part in ("data", *fault["loc"])), "message": fault["msg"]}
            for fault in error.errors()
        ]
        raise InvalidArguments(f"{faults[0]['path']}: {faults[0]['message']}", errors=faults) from None


def to_wire(geometry: Geometry) -> dict[str, Any]:
    return {"type": geometry.type, "data": geometry.model_dump(mode="json", by_alias=True)}


def schemas() -> dict[str, dict[str, Any]]:
    """The JSON schema of each type. The order of the fields is their order in forms."""
    return {name: model.model_json_schema(by_alias=True) for name, model in TYPES.items()}
