-- A new room, and the row its data hangs on.
WITH made AS (
    INSERT INTO room (name, owner_id, description, visibility)
    VALUES (%(name)s, %(owner_id)s, %(description)s, %(visibility)s)
    RETURNING number
)
INSERT INTO room_data (room) SELECT number FROM made
