-- Forget what old changes of a room did, oldest first; that they were made stays known.
WITH old AS (
    SELECT change.id FROM change
    JOIN room_data ON room_data.room = change.room
    WHERE change.room = %(room)s AND NOT change.forgotten
      AND (change.revision <= room_data.revision - %(kept)s OR change.at < %(before)s)
    ORDER BY change.revision LIMIT %(limit)s
), splices AS (
    DELETE FROM change_splice USING old WHERE change_splice.change_id = old.id RETURNING change_splice.removed
), item AS (
    DELETE FROM change_value USING old WHERE change_value.change_id = old.id
), loose AS (
    INSERT INTO orphaned_frame (frame_id)
    SELECT DISTINCT taken.frame_id FROM splices, unnest(splices.removed) AS taken (frame_id)
    ON CONFLICT DO NOTHING
)
UPDATE change SET forgotten = true FROM old WHERE change.id = old.id
