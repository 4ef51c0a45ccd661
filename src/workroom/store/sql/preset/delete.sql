-- Delete a preset: of its author, or any for owners of the room.
DELETE FROM form_preset
WHERE room = %(room)s AND category = %(category)s AND extension = %(extension)s AND name = %(name)s
  AND (account_id = %(account_id)s OR %(any_author)s)
RETURNING true
