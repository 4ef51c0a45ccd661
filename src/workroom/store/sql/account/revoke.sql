-- Revoke every token issued to an account so far.
UPDATE account SET token_epoch = token_epoch + 1 WHERE id = %(id)s RETURNING id
