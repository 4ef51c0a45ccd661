-- Notify all servers of this database, after the commit, with one notification for each payload, in their order.
SELECT pg_notify('workroom_servers', payload) FROM unnest(%(payloads)s::text[]) AS payload
