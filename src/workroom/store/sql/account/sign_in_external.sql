-- Sign the account of an identity in. No row when it is unknown or disabled.
UPDATE account SET seen_at = now()
WHERE issuer = %(issuer)s AND subject = %(subject)s AND disabled_at IS NULL
RETURNING id, name, role, token_epoch, password_hash
