-- Sign a guest in again by the secret of its client. No row when the secret is unknown, or the account is no guest any more.
UPDATE account SET seen_at = now()
WHERE guest_key_hash = %(key_hash)s AND role = 'guest' AND password_hash IS NULL AND disabled_at IS NULL
RETURNING id, name, role, token_epoch, password_hash
