-- Columns: the jobs of an extension by state, over all shards of `job_count`, and their mean run time.
coalesce(sum(blocked), 0)::bigint AS blocked, coalesce(sum(pending), 0)::bigint AS pending,
coalesce(sum(active), 0)::bigint AS active, coalesce(sum(completed), 0)::bigint AS completed,
coalesce(sum(failed), 0)::bigint AS failed, coalesce(sum(cancelled), 0)::bigint AS cancelled, avg(run_ms) AS run_ms
