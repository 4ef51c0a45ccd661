-- Whether an account belongs to an identity at a provider.
SELECT issuer IS NOT NULL FROM account WHERE id = %(id)s
