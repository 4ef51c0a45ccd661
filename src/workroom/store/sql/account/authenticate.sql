-- The account a token names; no row when the token was revoked or the account disabled.
SELECT id, name, role FROM account WHERE id = %(id)s AND token_epoch = %(epoch)s AND disabled_at IS NULL
