-- Delete turns that were not used for a while, a bounded number at a time. A queue with waiting jobs keeps them: its next jobs are placed
-- by them.
DELETE FROM fair_turn WHERE ctid = ANY (ARRAY(
    SELECT fair_turn.ctid FROM fair_turn
    WHERE fair_turn.used_at < clock_timestamp() - %(seconds)s * interval '1 second'
      AND NOT EXISTS (SELECT FROM job
                      WHERE job.extension_id = fair_turn.extension_id AND job.priority = fair_turn.priority
                        AND job.state = 'pending' AND job.run_at IS NULL)
    LIMIT %(limit)s
    FOR UPDATE SKIP LOCKED))
