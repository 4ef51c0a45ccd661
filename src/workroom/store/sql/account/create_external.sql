-- Create the account of an identity at a provider, under the first of these names that is free. No row when another sign-in took
-- the name or the identity meanwhile.
INSERT INTO account (id, name, role, issuer, subject)
SELECT %(id)s::uuid, candidate.name, %(role)s::text, %(issuer)s::text, %(subject)s::text
FROM unnest(%(names)s::text[]) WITH ORDINALITY AS candidate (name, n)
WHERE NOT EXISTS (SELECT FROM account WHERE lower(account.name) = lower(candidate.name))
ORDER BY candidate.n LIMIT 1
ON CONFLICT DO NOTHING
RETURNING id, name, role, disabled_at IS NOT NULL, coalesce(password_hash, issuer) IS NOT NULL, created_at
