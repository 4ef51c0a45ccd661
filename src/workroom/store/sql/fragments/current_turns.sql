-- The turn that each queue of `line` now serves: a new submitter begins there.
SELECT line.extension_id, line.priority, coalesce(
    (SELECT turn FROM job
     WHERE job.extension_id = line.extension_id AND job.priority = line.priority
       AND job.state = 'pending' AND job.run_at IS NULL AND job.attempt = 0
     ORDER BY turn, id LIMIT 1),
    (SELECT max(last_turn) FROM fair_turn AS f WHERE f.extension_id = line.extension_id AND f.priority = line.priority),
    0) AS turn
