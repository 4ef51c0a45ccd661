"""The picture of a room in lists: which images are accepted. Only the header of an image is read, never its pixels."""

from __future__ import annotations

import struct

from workroom.domain.errors import BadInput, TooLarge

LARGEST_THUMBNAIL = 10_240  # bytes
LONGEST_SIDE = 512  # pixels
_PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"
_WEBP_ANIMATED = 0x02


def thumbnail_type(image: bytes) -> str:
    """The media type of a thumbnail, by its content. Raises an error that says what is accepted."""
    if len(image) > LARGEST_THUMBNAIL:
        raise TooLarge(f"A thumbnail has at most {LARGEST_THUMBNAIL:,} bytes. Make the picture smaller.")
    try:
        media_type, width, height = _png(image) or _webp(image) or ("", 0, 0)
    except struct.error:
        media_type, width, height = "", 0, 0
    if not media_type:
        raise BadInput("A thumbnail is a PNG or a WebP image without animation.")
    if not (0 < width <= LONGEST_SIDE and 0 < height <= LONGEST_SIDE):
        raise BadInput(
            f"A thumbnail has sides of 1 to {LONGEST_SIDE} pixels, and this image has {width} x {height}. "
            f"Scale it down."
        )
    return media_type


def _png(image: bytes) -> tuple[str, int, int] | None:
    if not image.startswith(_PNG):
        return None
    return "image/png", *struct.unpack_from(">II", image, len(_PNG))


def _webp(image: bytes) -> tuple[str, int, int] | None:
    if image[:4] != b"RIFF" or image[8:12] != b"WEBP":
        return None
    (content,) = struct.unpack_from("<I", image, 4)
    if content + 8 != len(image):
        return None
    match image[12:16]:
        case b"VP8 " if image[23:26] == b"\x9d\x01\x2a":
            width, height = struct.unpack_from("<HH", image, 26)
            size = width & 0x3FFF, height & 0x3FFF
        case b"VP8L" if image[20:21] == b"\x2f":
            (bits,) = struct.unpack_from("<I", image, 21)
            size = (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
        case b"VP8X":
            flags, width, width_high, height, height_high = struct.unpack_from("<B3xHBHB", image, 20)
            if flags & _WEBP_ANIMATED:
                return None
            size = (width | width_high << 16) + 1, (height | height_high << 16) + 1
        case _:
            return None
    return "image/webp", *size
