-- Delete share links that expired long ago, a bounded number.
DELETE FROM share_link
WHERE id = ANY (ARRAY(
    SELECT old.id FROM share_link AS old WHERE old.expires_at < %(before)s ORDER BY old.expires_at LIMIT %(limit)s))
