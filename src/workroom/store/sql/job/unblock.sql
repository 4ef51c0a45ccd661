-- Jobs and postings have completed: strike them off the lists of those who wait; who waits for nothing more is pending.
WITH met AS (
    DELETE FROM dependency WHERE needs_job = ANY (%(jobs)s::uuid[]) OR needs_posting = ANY (%(postings)s::uuid[])
    RETURNING job_id
), fewer AS (
    SELECT job_id, count(*)::integer AS n FROM met GROUP BY job_id
), moved AS (
    UPDATE job SET unmet = job.unmet - fewer.n,
                   state = CASE WHEN job.unmet = fewer.n THEN 'pending' ELSE 'blocked' END::job_state
    FROM fewer WHERE job.id = fewer.job_id AND job.state = 'blocked'
    RETURNING job.id, job.attempt, job.extension_id, job.posting_id, job.room, job.state, job.awaited
), tallied AS (
    INSERT INTO tally AS t (extension_id, shard, blocked, pending)
    SELECT extension_id, pg_backend_pid(), -count(*), count(*) FROM moved WHERE state = 'pending' GROUP BY extension_id
    ON CONFLICT (extension_id, shard)
        DO UPDATE SET blocked = t.blocked + excluded.blocked, pending = t.pending + excluded.pending
)
SELECT id, attempt, extension_id, posting_id, room, state::text, awaited FROM moved WHERE state = 'pending'
