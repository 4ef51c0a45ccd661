"""Files on their way in and out of rooms.

    spool      an upload on the disk, until the job that opens it has ended
    multipart  the file within a form, as browsers and curl send it
    converter  frames on their way out, through a process that writes them as a file
    desk       all of it together, for the routes

The server never looks into a file: what it holds is read by the job `files/Open`, and written by a process of its own.
"""
