-- Postings with unique keys of one function are written one after the other: two that share keys would wait for each other.
SELECT pg_advisory_xact_lock(hashtext('workroom unique keys'), %(extension_id)s)
