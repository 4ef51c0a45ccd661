"""Files of structures: read and written a frame at a time, whatever their size.

formats   which format a file is of
reading   frames of a file, one after the other, with progress
writing   any frames into a file
opening   the extension that reads an uploaded file into a room
convert   the process that turns a room's frames into a file to download
"""

from __future__ import annotations

from workroom.atoms.files.import_job import open_file
from workroom.atoms.files.reading import read_frames
from workroom.atoms.files.writing import WRITABLE, write_frames

__all__ = ["WRITABLE", "open_file", "read_frames", "write_frames"]
