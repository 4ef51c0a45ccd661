-- Revoke an API token of an account. No row when there is none of this id or name.
DELETE FROM api_token WHERE account_id = %(account_id)s AND (id::text = %(which)s OR name = %(which)s)
RETURNING id, name
