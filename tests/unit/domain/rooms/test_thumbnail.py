"""Thumbnails: type and size are read from the header of an image, and everything else is refused."""

from __future__ import annotations

import io
from typing import Any

import pytest
from PIL import Image

from workroom.domain.errors import BadInput, TooLarge, WorkroomError
from workroom.domain.rooms.thumbnail import LARGEST_THUMBNAIL, LONGEST_SIDE, thumbnail_type


def image(format: str, size: tuple[int, int], mode: str = "RGB", **options: Any) -> bytes:
    file = io.BytesIO()
    Image.new(mode, size, "red").save(file, format, **options)
    return file.getvalue()


KINDS: list[tuple[str, str, dict[str, Any]]] = [
    ("PNG", "RGB", {}),
    ("WEBP", "RGB", {}),
    ("WEBP", "RGB", {"lossless": True}),
    ("WEBP", "RGBA", {"exif": b"Exif\x00\x00"}),  # with an extended header
]


@pytest.mark.parametrize(("format", "mode", "options"), KINDS)
def test_the_type_is_told_by_the_content_and_the_sides_are_bounded(
    format: str, mode: str, options: dict[str, Any]
) -> None:
    assert thumbnail_type(image(format, (LONGEST_SIDE, 40), mode, **options)) == f"image/{format.lower()}"
    for size in [(LONGEST_SIDE + 1, 40), (40, LONGEST_SIDE + 1)]:
        with pytest.raises(BadInput, match=f"{size[0]} x {size[1]}"):
            thumbnail_type(image(format, size, mode, **options))
    whole = image(format, (40, 30), mode, **options)
    for end in range(24):
        with pytest.raises(BadInput):
            thumbnail_type(whole[:end])


def test_other_content_is_refused() -> None:
    moving = io.BytesIO()
    frames = [Image.new("RGB", (9, 9), colour) for colour in ("red", "blue")]
    frames[0].save(moving, "WEBP", save_all=True, append_images=frames[1:])
    for content in [
        b"",
        b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>",
        image("JPEG", (40, 30)),
        image("GIF", (40, 30), "P"),
        moving.getvalue(),
        image("WEBP", (40, 30)) + b"<script>",
    ]:
        with pytest.raises(BadInput, match="PNG or a WebP"):
            thumbnail_type(content)
    with pytest.raises(TooLarge, match="10,240 bytes"):
        thumbnail_type(image("PNG", (40, 30)).ljust(LARGEST_THUMBNAIL + 1, b"\x00"))
    with pytest.raises(WorkroomError):
        thumbnail_type(image("PNG", (40, 30))[:16] + bytes(8))  # no pixels
