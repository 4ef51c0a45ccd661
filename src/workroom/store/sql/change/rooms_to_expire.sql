-- Rooms with changes to expire: the oldest unexpired change has too many newer ones, or is too old.
SELECT room.name
FROM room_data
JOIN room ON room.number = room_data.room
JOIN LATERAL (
    SELECT change.revision, change.at FROM change
    WHERE change.room = room_data.room AND NOT change.expired
    ORDER BY change.revision LIMIT 1
) AS oldest ON oldest.revision <= room_data.revision - %(kept)s OR oldest.at < %(before)s
LIMIT %(limit)s
