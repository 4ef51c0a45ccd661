-- Notify pools, after the commit, that their functions have work or that jobs of theirs were cancelled: one notification for each
-- function, however many jobs.
SELECT pg_notify('workroom_work', id::text) FROM extension WHERE id = ANY (%(extension_ids)s::integer[]) AND scope = 'function'
