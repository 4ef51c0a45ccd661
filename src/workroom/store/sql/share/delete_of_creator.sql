-- Delete the share links of a room that an account created.
DELETE FROM share_link WHERE room = %(room)s AND created_by = %(created_by)s
