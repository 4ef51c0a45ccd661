-- Connected workers by kind. A remote worker without an account is the server's own pool.
SELECT CASE WHEN account_id IS NULL AND kind = 'remote' THEN 'pool' ELSE kind END, count(*) FROM worker
WHERE attached AND ended_at IS NULL GROUP BY 1
