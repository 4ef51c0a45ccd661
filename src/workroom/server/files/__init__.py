"""Files that users upload to a room, and files made from the frames of a room.

The server never parses a file: the job `files/Open` reads uploads, and a subprocess writes downloads.

body_spool    receives uploads in whole, and counts unfinished ones
converter     writes frames as a file in a subprocess
download_spool  holds a file between its writer and its reader
multipart     finds the file in a multipart form while it arrives
service       owns the upload store and the converter, and removes an upload when its job ends
upload_store  uploads on disk, under random names
"""
