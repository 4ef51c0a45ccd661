"""Routes about rooms and the people in them.

changes   history of a room, and undo
chat      messages of a room
locks     acquire, refresh and release locks
members   members of a room, and share links
presence  people connected to a room
queue     how many jobs of a room work and wait, and which are next
rooms     list, create, change, duplicate and delete rooms
state     length, step, revision and locks of a room in one request
step      the frame that everyone in a room sees
thumbnail  the picture of a room in lists
"""
