-- Serialise postings with unique keys of one function: two that share keys would deadlock.
SELECT pg_advisory_xact_lock(hashtext('workroom unique keys'), %(extension_id)s)
