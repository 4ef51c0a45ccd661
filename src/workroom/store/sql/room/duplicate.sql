-- A new room like another: its description and visibility, owned by whoever copies it.
WITH made AS (
    INSERT INTO room (name, owner_id, description, visibility)
    SELECT %(name)s, %(owner_id)s, room.description, room.visibility FROM room WHERE room.name = %(source)s
    RETURNING number
)
INSERT INTO room_data (room) SELECT number FROM made
RETURNING room
