-- The live workers that an API token of an account registered. The token is named by its id or its name.
SELECT worker.id FROM api_token JOIN worker ON worker.api_token_id = api_token.id
WHERE api_token.account_id = %(account_id)s AND (api_token.id::text = %(which)s OR api_token.name = %(which)s)
  AND worker.ended_at IS NULL
ORDER BY worker.id
