-- Record an uploaded file, and count its bytes in the room. Its parts follow in the same transaction.
WITH counted AS (
    UPDATE room_data SET bytes = bytes + %(size)s::bigint FROM room
    WHERE room.name = %(room)s AND room_data.room = room.number
)
INSERT INTO input_file (id, room, account_id, name, size)
VALUES (%(id)s, %(room)s, %(account_id)s, %(name)s, %(size)s::bigint)
