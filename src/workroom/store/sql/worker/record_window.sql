-- Record that heartbeats of these kinds of workers can arrive now. After a gap, or if asked to, the window begins anew.
WITH commit_mode AS MATERIALIZED (
    SELECT set_config('synchronous_commit', 'off', true)
), clock AS MATERIALIZED (
    SELECT clock_timestamp() AS now FROM commit_mode
)
INSERT INTO heartbeat_window AS heartbeats (kind, open_since, open_until)
SELECT kind, clock.now, clock.now FROM unnest(%(kinds)s::text[]) AS kind CROSS JOIN clock ORDER BY kind
ON CONFLICT (kind) DO UPDATE SET
    open_since = CASE WHEN %(anew)s OR heartbeats.open_until < excluded.open_until - %(gap_seconds)s * interval '1 second'
                           -- The clock was set back.
                           OR heartbeats.open_since > excluded.open_since
                      THEN excluded.open_since ELSE heartbeats.open_since END,
    open_until = excluded.open_until
