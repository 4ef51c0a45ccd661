-- Expire old changes of a room, oldest first: delete their splices and values, so that they cannot be undone, and list
-- the frames that they removed as possibly orphaned. The rows of the changes stay. Bookmarks of removed frames, whose keys
-- are the negated ids of the frames, are deleted, because no undo restores these frames.
WITH old AS (
    SELECT change.id FROM change
    JOIN room_data ON room_data.room = change.room
    WHERE change.room = %(room)s AND NOT change.expired
      AND (change.revision <= room_data.revision - %(kept)s OR change.at < %(before)s)
    ORDER BY change.revision LIMIT %(limit)s
), splices AS (
    DELETE FROM change_splice USING old WHERE change_splice.change_id = old.id RETURNING change_splice.removed
), item AS (
    DELETE FROM change_value USING old WHERE change_value.change_id = old.id
), orphaned AS (
    INSERT INTO orphaned_frame (frame_id)
    SELECT DISTINCT taken.frame_id FROM splices, unnest(splices.removed) AS taken (frame_id)
    ON CONFLICT DO NOTHING
), bookmark AS (
    DELETE FROM scene_item USING splices, unnest(splices.removed) AS taken (frame_id)
    WHERE scene_item.room = %(room)s AND scene_item.kind = 'bookmark' AND scene_item.key = '-' || taken.frame_id
)
UPDATE change SET expired = true FROM old WHERE change.id = old.id
