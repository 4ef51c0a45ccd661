-- Count the bytes of a room anew, after changes have expired: frames of the trajectory and of changes that can be undone, items
-- and their history, uploaded input files. The row of the room is locked.
UPDATE room_data SET bytes = (
        SELECT coalesce(sum(octet_length(frame.body)), 0)::bigint FROM frame WHERE frame.id IN (
            SELECT room_frame.frame_id FROM room_frame WHERE room_frame.room = %(room)s
            UNION
            SELECT unnest(change_splice.removed) FROM change_splice JOIN change ON change.id = change_splice.change_id
            WHERE change.room = %(room)s)
    ) + (
        SELECT coalesce(sum(octet_length(scene_item.value::text)), 0)::bigint FROM scene_item WHERE scene_item.room = %(room)s
    ) + (
        SELECT coalesce(sum(octet_length(change_value.before::text)), 0)::bigint FROM change_value
        JOIN change ON change.id = change_value.change_id WHERE change.room = %(room)s
    ) + (
        SELECT coalesce(sum(input_file.size), 0)::bigint FROM input_file JOIN room ON room.name = input_file.room
        WHERE room.number = %(room)s
    )
WHERE room_data.room = %(room)s
