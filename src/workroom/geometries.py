"""Models of what the viewer draws in a room: `room.geometries["forces"] = Arrows(direction="calc.forces")`."""

from workroom.wire.geometries import (
    Arrows,
    Bonds,
    Box,
    Camera,
    Cell,
    ColourBy,
    Curve,
    Floor,
    Geometry,
    Isosurface,
    Plane,
    Spheres,
)

__all__ = [
    "Arrows",
    "Bonds",
    "Box",
    "Camera",
    "Cell",
    "ColourBy",
    "Curve",
    "Floor",
    "Geometry",
    "Isosurface",
    "Plane",
    "Spheres",
]
