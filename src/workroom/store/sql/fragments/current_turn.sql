-- The turn that the queue now serves: a new submitter begins there.
coalesce(
    (SELECT turn FROM job
     WHERE extension_id = %(extension_id)s AND priority = %(priority)s
       AND state = 'pending' AND run_at IS NULL AND attempt = 0
     ORDER BY turn, id LIMIT 1),
    (SELECT max(last_turn) FROM fair_turn WHERE extension_id = %(extension_id)s AND priority = %(priority)s),
    0)
