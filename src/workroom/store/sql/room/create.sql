-- A new room.
INSERT INTO room (name, owner_id, description, visibility) VALUES (%(name)s, %(owner_id)s, %(description)s, %(visibility)s)
