-- Delete a share link. Users who joined by it stay members.
DELETE FROM share_link WHERE id = %(id)s AND room = %(room)s RETURNING id
