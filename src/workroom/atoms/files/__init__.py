"""Structure files of any size, read and written one frame at a time.

export_process  the process that writes a room's frames as a file for download
format_detection  detection of a file's format
h5md           reader of H5MD
h5md_writing   writer of H5MD
hdf5_links     refusal of HDF5 files whose content lies in other files
import_job     the job that imports an uploaded file into a room
readable_formats  the formats that are read
reading        reader of all formats, with progress
sanitize       conversion of ASE objects to plain data
xyz_and_pdb    readers of XYZ and PDB
units          units of H5MD
writing        writer of all formats
"""

from __future__ import annotations

from workroom.atoms.files.import_job import open_file
from workroom.atoms.files.reading import read_frames
from workroom.atoms.files.writing import WRITABLE, write_frames

__all__ = ["WRITABLE", "open_file", "read_frames", "write_frames"]
