-- Delete uploaded files that no job has, a bounded number at a time, and take their bytes from their rooms. Young ones stay: a
-- form is filled in between the upload and the submission.
WITH unused AS (
    SELECT id FROM input_file
    WHERE created_at < now() - make_interval(secs => %(seconds)s)
      AND NOT EXISTS (SELECT FROM job_input WHERE job_input.file_id = input_file.id)
    ORDER BY created_at LIMIT %(limit)s
    FOR UPDATE SKIP LOCKED
), deleted AS (
    DELETE FROM input_file USING unused WHERE input_file.id = unused.id RETURNING input_file.room, input_file.size
), freed AS (
    SELECT room.number, sum(deleted.size)::bigint AS bytes FROM deleted JOIN room ON room.name = deleted.room GROUP BY room.number
), counted AS (
    UPDATE room_data SET bytes = greatest(0, room_data.bytes - freed.bytes) FROM freed WHERE room_data.room = freed.number
)
SELECT count(*) FROM deleted
