"""Frames on the wire: msgpack that can be used where it lies.

A frame is one msgpack map from keys to values. An array is the map `{"dtype", "shape", "pad", "bytes"}`, with as many
bytes of padding as let its content start at an offset divisible by 8: whoever reads it makes views, no copies. A stream
holds frames one after the other, each behind its length (8 bytes, little endian) and padded to a multiple of 8.

    encode        a mapping as a frame
    FrameReader   frames as mappings of views, or only what they consist of; everything is checked
    framed        a frame as part of a stream
    Splitter      the frames in a stream that arrives piece by piece

Nothing is ever unpickled: a frame holds numbers, text, bytes, lists and maps, and arrays of listed dtypes.
"""

from workroom.wire.frames.dtypes import DTYPES, MEDIA_TYPE, Layout
from workroom.wire.frames.reader import FrameReader, decode
from workroom.wire.frames.stream import Splitter, framed, split
from workroom.wire.frames.writer import encode

__all__ = ["DTYPES", "MEDIA_TYPE", "FrameReader", "Layout", "Splitter", "decode", "encode", "framed", "split"]
