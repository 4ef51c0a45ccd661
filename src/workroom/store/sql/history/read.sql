-- Ended jobs since a time, by steps of time or by extension, with their times by bucket.
WITH chosen AS MATERIALIZED (
    SELECT job_history.*,
           date_bin(%(step_seconds)s * interval '1 second', job_history.hour, 'epoch') AS step --? by_time
           job_history.extension_id AS step --? by_extension
    FROM job_history
    JOIN extension ON extension.id = job_history.extension_id
    WHERE job_history.hour >= %(since)s
      AND job_history.room = %(room)s --? room
      AND extension.category = %(category)s --? category
      AND extension.name = %(name)s --? name
      AND strpos(lower(extension.category || '/' || extension.name), lower(%(search)s)) > 0 --? search
), counted AS (
    SELECT step, sum(completed)::bigint AS completed, sum(failed)::bigint AS failed, sum(cancelled)::bigint AS cancelled
    FROM chosen GROUP BY step
), timed AS (
    SELECT step, array_agg(waits ORDER BY bucket) AS waits, array_agg(runs ORDER BY bucket) AS runs
    FROM (SELECT chosen.step, one.bucket, sum(one.waits)::bigint AS waits, sum(one.runs)::bigint AS runs
          FROM chosen CROSS JOIN LATERAL unnest(chosen.waits, chosen.runs) WITH ORDINALITY AS one (waits, runs, bucket)
          GROUP BY chosen.step, one.bucket) AS summed
    GROUP BY step
)
SELECT counted.step, NULL, NULL, NULL, --? by_time
SELECT NULL::timestamptz, extension.scope, extension.category, extension.name, --? by_extension
       counted.completed, counted.failed, counted.cancelled, timed.waits, timed.runs
FROM counted JOIN timed ON timed.step = counted.step
ORDER BY counted.step --? by_time
JOIN extension ON extension.id = counted.step --? by_extension
ORDER BY counted.completed + counted.failed DESC, extension.id LIMIT %(limit)s --? by_extension
