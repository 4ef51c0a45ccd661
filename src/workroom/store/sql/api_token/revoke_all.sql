-- Revoke all API tokens of an account.
DELETE FROM api_token WHERE account_id = %(account_id)s RETURNING id
