"""Routes about the data of a room.

bookmarks       labels of frames
figures         Plotly figures whose points may be linked to frames or atoms
files           upload files that a job opens; download frames as a file
frame_requests  parse which frames a request selects, and the frames it carries
frames          read, write and delete frames as streams
geometries      what the viewer draws
input_files     upload files for the fields of extensions, and download them
metadata        named JSON values
selections      selected atoms, groups of selections, selected frames
"""
