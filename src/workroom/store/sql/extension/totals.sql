-- Jobs by state over all extensions, from counters. Ends ever include those of extensions that are gone.
SELECT coalesce(sum(blocked), 0)::bigint, coalesce(sum(pending), 0)::bigint, coalesce(sum(active), 0)::bigint,
       coalesce(sum(completed), 0)::bigint, coalesce(sum(failed), 0)::bigint, coalesce(sum(cancelled), 0)::bigint
FROM (
    SELECT blocked, pending, active, completed, failed, cancelled FROM job_count
    UNION ALL SELECT 0, 0, 0, completed, failed, cancelled FROM removed_job_count
) AS counted
