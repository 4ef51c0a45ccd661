-- Use a code: delete it and return its account. No row when it is unknown, expired or revoked.
DELETE FROM login_code USING account
WHERE login_code.code_hash = %(code_hash)s AND login_code.expires_at > now()
  AND account.id = login_code.account_id AND account.token_epoch = login_code.epoch AND account.disabled_at IS NULL
RETURNING account.id, account.name, account.role, account.token_epoch, account.password_hash
