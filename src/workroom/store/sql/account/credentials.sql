-- What a sign-in is checked against; no row when the account is disabled.
SELECT id, name, role, token_epoch, password_hash FROM account WHERE lower(name) = lower(%(name)s) AND disabled_at IS NULL
