-- A page of accounts by name. The total is there even for an empty page.
WITH found AS MATERIALIZED (
    SELECT id, name, role, disabled_at IS NOT NULL AS disabled, coalesce(password_hash, issuer) IS NOT NULL AS has_credentials, created_at FROM account
    WHERE strpos(lower(name), lower(%(search)s::text)) > 0
)
SELECT counted.total, page.* FROM (SELECT count(*) AS total FROM found) AS counted
LEFT JOIN (SELECT * FROM found ORDER BY lower(name) LIMIT %(limit)s OFFSET %(offset)s) AS page ON true
ORDER BY lower(page.name)
