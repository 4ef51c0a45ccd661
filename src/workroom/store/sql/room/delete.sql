-- Delete a room; its members, links, locks and extensions go with it.
DELETE FROM room WHERE name = %(name)s
