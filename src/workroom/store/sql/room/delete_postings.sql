-- Delete the postings of a room.
DELETE FROM posting WHERE room = %(name)s
