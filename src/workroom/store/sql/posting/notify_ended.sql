-- Notify clients that wait for postings, after the commit, that these have ended.
SELECT pg_notify('workroom_posting', id::text) FROM unnest(%(ids)s::uuid[]) AS ended (id)
