"""Files that users upload to a room, and files made from the frames of a room.

The server never parses a file: the job `files/Open` reads uploads, and a subprocess writes downloads.

converter     writes frames as a file in a subprocess
multipart     finds the file in a multipart form while it arrives
service       owns the upload store and the converter, and removes an upload when its job ends
upload_store  uploads on disk, under random names
"""
