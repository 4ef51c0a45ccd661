"""The binary format of frames: msgpack whose arrays can be read without a copy.

A frame is one msgpack map from keys to values. An array is the map `{"dtype", "shape", "pad", "bytes"}`. The padding
aligns the content to 8 bytes, so that a reader makes views instead of copies. A stream is a sequence of frames, each
after its length (8 bytes, little endian) and padded to a multiple of 8.

A frame holds numbers, text, bytes, lists, maps, and arrays of listed dtypes. Nothing is unpickled.

dtypes  the allowed dtypes, and the limits of a frame
parser  reads and checks msgpack values in place (`Parser`)
reader  frames as mappings of views, or only their layout (`FrameReader`, `decode`)
stream  frames in a stream (`framed`, `Splitter`, `split`)
writer  a mapping as a frame (`encode`)
"""

from workroom.wire.frames.dtypes import DTYPES, MEDIA_TYPE, Layout
from workroom.wire.frames.reader import FrameReader, decode
from workroom.wire.frames.stream import Splitter, framed, split
from workroom.wire.frames.writer import encode

__all__ = ["DTYPES", "MEDIA_TYPE", "FrameReader", "Layout", "Splitter", "decode", "encode", "framed", "split"]
