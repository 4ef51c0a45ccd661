-- Delete all share links of a room. Users who joined by them stay members.
DELETE FROM share_link WHERE room = %(room)s RETURNING id
