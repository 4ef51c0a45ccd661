-- Revoke all tokens of an account.
UPDATE account SET token_epoch = token_epoch + 1 WHERE id = %(id)s RETURNING id
