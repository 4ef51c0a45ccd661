-- Serialise registrations of one identity, even while the extension does not exist yet.
SELECT pg_advisory_xact_lock(hashtextextended(%(identity)s, 7))
