-- Insert a worker with its lease.
INSERT INTO worker (id, kind, account_id, room, capacity, info, resources, ends_at, lease_until, attached, api_token_id)
VALUES (%(id)s, %(kind)s, %(account_id)s, %(room)s, %(capacity)s, %(info)s::jsonb, %(resources)s::jsonb,
        clock_timestamp() + %(seconds_left)s::float8 * interval '1 second',
        clock_timestamp() + %(lease_seconds)s * interval '1 second', %(attached)s, %(api_token)s::uuid)
RETURNING incarnation
