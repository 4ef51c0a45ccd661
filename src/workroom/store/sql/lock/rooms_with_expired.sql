-- Rooms with locks that count no more, or whose clients left and did not come back in time.
SELECT DISTINCT room FROM room_lock
WHERE left_at < clock_timestamp() - %(grace_seconds)s * interval '1 second'
   OR NOT EXISTS (SELECT FROM live_lock WHERE live_lock.room = room_lock.room AND live_lock.target = room_lock.target)
