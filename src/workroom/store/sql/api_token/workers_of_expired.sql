-- The live workers whose API token has expired.
SELECT worker.id FROM api_token JOIN worker ON worker.api_token_id = api_token.id
WHERE api_token.expires_at <= now() AND worker.ended_at IS NULL ORDER BY worker.id
