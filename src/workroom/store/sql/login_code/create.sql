-- Store a code that signs an account in once. It replaces the account's code before, and expired codes are deleted.
WITH expired AS (
    DELETE FROM login_code WHERE expires_at < now() AND account_id <> %(account_id)s
)
INSERT INTO login_code (account_id, code_hash, epoch, expires_at)
VALUES (%(account_id)s, %(code_hash)s, %(epoch)s, now() + %(seconds)s * interval '1 second')
ON CONFLICT (account_id) DO UPDATE
    SET code_hash = excluded.code_hash, epoch = excluded.epoch, expires_at = excluded.expires_at
