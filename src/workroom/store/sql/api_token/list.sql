-- The API tokens of an account, the newest first.
SELECT id, name, hint, scopes, created_at, expires_at, last_used_at, coalesce(expires_at <= now(), false) FROM api_token
WHERE account_id = %(account_id)s ORDER BY created_at DESC, id DESC
