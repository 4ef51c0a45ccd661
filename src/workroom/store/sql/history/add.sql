-- Add ended jobs to the current hour. Jobs of extensions and rooms that were deleted meanwhile are left out.
WITH commit_mode AS MATERIALIZED (
    SELECT set_config('synchronous_commit', 'off', true)
)
INSERT INTO job_history AS t (hour, extension_id, room, completed, failed, cancelled, waits, runs)
SELECT date_trunc('hour', now(), 'UTC'), ended.extension_id, ended.room, ended.completed, ended.failed, ended.cancelled, ended.waits, ended.runs
FROM jsonb_to_recordset(%(ended)s::jsonb) AS ended (
         extension_id integer, room text, completed bigint, failed bigint, cancelled bigint, waits bigint[], runs bigint[]),
     commit_mode
WHERE EXISTS (SELECT FROM extension WHERE extension.id = ended.extension_id)
  AND (ended.room IS NULL OR EXISTS (SELECT FROM room WHERE room.name = ended.room))
-- In a fixed order, so that two sessions cannot deadlock.
ORDER BY ended.extension_id, ended.room
ON CONFLICT (hour, extension_id, room) DO UPDATE SET
    completed = t.completed + excluded.completed, failed = t.failed + excluded.failed, cancelled = t.cancelled + excluded.cancelled,
    waits = (SELECT array_agg(one.known + one.more ORDER BY one.bucket)
             FROM unnest(t.waits, excluded.waits) WITH ORDINALITY AS one (known, more, bucket)),
    runs = (SELECT array_agg(one.known + one.more ORDER BY one.bucket)
            FROM unnest(t.runs, excluded.runs) WITH ORDINALITY AS one (known, more, bucket))
