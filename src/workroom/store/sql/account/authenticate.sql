-- The account of a token. No row when the token was revoked or the account is disabled.
SELECT id, name, role FROM account WHERE id = %(id)s AND token_epoch = %(epoch)s AND disabled_at IS NULL
