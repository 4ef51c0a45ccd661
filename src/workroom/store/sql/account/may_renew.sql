-- Whether the tokens of an account may be renewed: one of a provider must have signed in there since this time.
SELECT issuer IS NULL OR seen_at > %(since)s FROM account WHERE id = %(id)s
