-- Replace the hash of the same password; tokens stay valid.
UPDATE account SET password_hash = %(new_hash)s WHERE id = %(id)s AND password_hash = %(old_hash)s
