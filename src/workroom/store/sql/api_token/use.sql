-- The account and scopes of an API token, whose use is recorded. No row when it is unknown, revoked or expired.
UPDATE api_token SET last_used_at = now()
WHERE token_hash = %(token_hash)s AND (expires_at IS NULL OR expires_at > now())
RETURNING id, account_id, scopes, expires_at
