-- Create a guest under the first of these names that is free. No row when the first name belongs to another kind of account or
-- is disabled, when the secret belongs to an account, or when another sign-in took the name meanwhile.
INSERT INTO account (id, name, role, guest_key_hash)
SELECT %(id)s::uuid, free.name, 'guest', %(key_hash)s::text
FROM (
    SELECT candidate.name FROM unnest(%(names)s::text[]) WITH ORDINALITY AS candidate (name, n)
    WHERE NOT EXISTS (SELECT FROM account WHERE lower(account.name) = lower(candidate.name))
    ORDER BY candidate.n LIMIT 1) AS free
WHERE NOT EXISTS (
    SELECT FROM account WHERE lower(account.name) = lower((%(names)s::text[])[1])
                          AND (role <> 'guest' OR password_hash IS NOT NULL OR disabled_at IS NOT NULL))
ON CONFLICT DO NOTHING
RETURNING id, name, role, token_epoch, password_hash
