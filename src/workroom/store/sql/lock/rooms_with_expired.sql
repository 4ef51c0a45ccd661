-- Rooms with locks that are no longer live, or whose client did not reconnect in time.
SELECT DISTINCT room FROM room_lock
WHERE left_at < clock_timestamp() - %(grace_seconds)s * interval '1 second'
   OR NOT EXISTS (SELECT FROM live_lock WHERE live_lock.room = room_lock.room AND live_lock.target = room_lock.target)
