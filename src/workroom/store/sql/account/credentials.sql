-- The credentials of an account. No row when the account is disabled.
SELECT id, name, role, token_epoch, password_hash FROM account WHERE lower(name) = lower(%(name)s) AND disabled_at IS NULL
