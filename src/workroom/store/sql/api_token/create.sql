-- Make an API token of an account. No row when the account has as many as allowed; the row of the account is locked.
INSERT INTO api_token (id, account_id, name, token_hash, hint, scopes, expires_at)
SELECT %(id)s::uuid, %(account_id)s::uuid, %(name)s::text, %(token_hash)s::bytea, %(hint)s::text, %(scopes)s::text[], %(expires_at)s::timestamptz
WHERE (SELECT count(*) FROM api_token WHERE account_id = %(account_id)s) < %(most)s
RETURNING id, name, hint, scopes, created_at, expires_at, last_used_at, false
