-- The same password, hashed as is recommended today; tokens stay good.
UPDATE account SET password_hash = %(new_hash)s WHERE id = %(id)s AND password_hash = %(old_hash)s
