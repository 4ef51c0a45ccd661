-- Jobs by state over all extensions, from counters.
SELECT coalesce(sum(blocked), 0)::bigint, coalesce(sum(pending), 0)::bigint, coalesce(sum(active), 0)::bigint,
       coalesce(sum(completed), 0)::bigint, coalesce(sum(failed), 0)::bigint, coalesce(sum(cancelled), 0)::bigint
FROM job_count
