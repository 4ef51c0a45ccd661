-- The account of a token, which has an epoch or is an API token. No row when the token was revoked or has expired, or the account
-- is disabled.
SELECT id, name, role FROM account
WHERE id = %(id)s AND disabled_at IS NULL AND (token_epoch = %(epoch)s::integer OR EXISTS (
    SELECT FROM api_token
    WHERE api_token.id = %(api_token)s::uuid AND account_id = account.id AND (expires_at IS NULL OR expires_at > now())))
