-- Tell pools, after the commit, that functions of theirs have work or that work of theirs is called off. One hint for each
-- function, however many jobs.
SELECT pg_notify('workroom_work', id::text) FROM extension WHERE id = ANY (%(extension_ids)s::integer[]) AND scope = 'function'
