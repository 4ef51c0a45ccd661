-- Workers that have not ended, by kind and state. A remote worker without an account is the server's own pool.
SELECT CASE WHEN account_id IS NULL AND kind = 'remote' THEN 'pool' ELSE kind END,
       CASE WHEN NOT attached THEN 'away' WHEN draining THEN 'draining'
            WHEN EXISTS (SELECT FROM job WHERE job.worker_id = worker.id AND job.state IN ('assigned', 'running')) THEN 'busy'
            ELSE 'idle' END,
       count(*)
FROM worker WHERE ended_at IS NULL GROUP BY 1, 2
