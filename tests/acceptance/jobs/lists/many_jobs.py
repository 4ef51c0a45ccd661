"""Writes 100,000 jobs of a room and a posting of a million calls beside them, by SQL."""

from __future__ import annotations

from uuid import UUID

import psycopg

JOBS = 100_000
FAILED = 12_000
CALLS = 1_000_000

# An hour of jobs, oldest first. One in fifty waits, one in eight has failed until there are FAILED of these.
_JOBS = """
    INSERT INTO job (id, extension_id, priority, tries, turn, state, on_worker_lost, attempt, submitter, worker_id,
                     room, created_at, assigned_at, started_at, finished_at, arguments, result, error, failures)
    SELECT (lpad(to_hex(extract(epoch FROM made.at)::bigint * 1000 + n %% 1000), 12, '0') || '7000' || '8000'
            || lpad(to_hex(n), 12, '0'))::uuid,
           (%(extensions)s::integer[])[1 + n %% 3], n %% 11, 1, n, made.state::job_state, 'fail',
           CASE made.state WHEN 'pending' THEN 0 ELSE 1 END, (%(people)s::uuid[])[1 + n %% 2],
           CASE WHEN made.state <> 'pending' THEN (%(workers)s::uuid[])[1 + n %% 2] END, %(room)s, made.at,
           CASE WHEN made.state <> 'pending' THEN made.at + interval '1 second' END,
           CASE WHEN made.state <> 'pending' THEN made.at + interval '2 seconds' END,
           CASE WHEN made.state <> 'pending' THEN made.at + interval '2 seconds' + n %% 977 * interval '0.1 second' END,
           jsonb_build_object('n', n, 'factor', n %% 100 / 10.0),
           CASE WHEN made.state = 'completed' THEN to_jsonb(n * 2) END,
           CASE WHEN made.state = 'failed' THEN jsonb_build_object(
               'type', (ARRAY['ValueError', 'KeyError'])[1 + n %% 2], 'message', 'no cell for ' || n,
               'place', 'probe.py:' || n %% 5 || ' in run',
               'traceback', repeat('  File "probe.py", line 1, in run' || chr(10), 30)) END,
           (made.state = 'failed')::integer
    FROM (SELECT n, now() - interval '1 hour' + n * interval '0.03 second' AS at,
                 CASE WHEN n %% 50 = 0 THEN 'pending' WHEN n %% 8 = 1 AND n < %(failed)s * 8 THEN 'failed'
                      ELSE 'completed' END AS state
          FROM generate_series(1, %(jobs)s) AS n) AS made
"""
_CALLS = """
    INSERT INTO job (id, extension_id, priority, tries, turn, state, on_worker_lost, attempt, submitter, worker_id,
                     room, posting_id, created_at, assigned_at, started_at, finished_at, arguments)
    SELECT (left(replace(%(posting)s, '-', ''), 24) || lpad(to_hex(n), 8, '0'))::uuid,
           %(function)s, 5, 3, n, 'completed', 'requeue', 1,
           (%(people)s::uuid[])[1], (%(workers)s::uuid[])[1], %(room)s, %(posting)s::uuid, now(), now(), now(),
           now() + n %% 1000 * interval '1 millisecond', jsonb_build_array(n, 'call')
    FROM generate_series(0, %(calls)s - 1) AS n
"""
_POSTING = """
    INSERT INTO posting (id, extension_id, submitter, room, priority, tries, status, sealed, total, completed,
                         finished_at)
    VALUES (%(posting)s, %(function)s, (%(people)s::uuid[])[1], %(room)s, 5, 3, 'completed', true, %(calls)s,
            %(calls)s, now())
"""
_FUNCTION = """
    INSERT INTO extension (scope, category, name, schema, schema_hash, tries, backoff_base, backoff_cap, on_worker_lost,
                           priority, breaker_failures, breaker_seconds)
    VALUES ('function', 'functions', 'square', '{}', repeat('0', 64), 3, 1, 60, 'requeue', 5, 0, 0) RETURNING id
"""


def write_many_jobs(url: str, room: str, posting: UUID, people: list[str], workers: list[str]) -> None:
    """Jobs of the room's extensions in turn, submitted by the people in turn, and the posting, which is newest."""
    with psycopg.connect(url) as connection:
        found = connection.execute("SELECT id FROM extension WHERE room = %s ORDER BY id", [room]).fetchall()
        function = connection.execute(_FUNCTION).fetchone()
        assert function is not None
        values = {
            "room": room,
            "posting": str(posting),
            "people": people,
            "workers": workers,
            "extensions": [row[0] for row in found],
            "function": function[0],
            "jobs": JOBS,
            "failed": FAILED,
            "calls": CALLS,
        }
        for statement in (_JOBS, _POSTING, _CALLS):
            connection.execute(statement, values)
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("VACUUM ANALYZE job")
