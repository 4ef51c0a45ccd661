-- The whole schema, by subject: the schema itself, row checks, accounts and rooms, extensions and workers, jobs and postings, room data, locks,
-- the audit log, profiles. All times come from the database's clock. The comment of a column says what sets it, and when.

CREATE TYPE job_state AS ENUM ('blocked', 'pending', 'assigned', 'running', 'completed', 'failed', 'cancelled');
CREATE TYPE on_worker_lost AS ENUM ('fail', 'requeue', 'requeue_unstarted');

-- The schema itself ---------------------------------------------------------------------------------------------

CREATE TABLE applied_migration (
    file       text        PRIMARY KEY,
    digest     text        NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE applied_migration IS 'The migrations that made this schema. A program whose file of the same name differs refuses the database.';
COMMENT ON COLUMN applied_migration.file IS 'Set in the transaction of the migration: the name of its file.';
COMMENT ON COLUMN applied_migration.digest IS 'Set with the file: the SHA-256 of its content.';
COMMENT ON COLUMN applied_migration.applied_at IS 'Set with the file.';

-- Row checks ----------------------------------------------------------------------------------------------------
-- One function per table checks a whole row. PostgreSQL parses the text of every CHECK constraint for each statement that
-- writes; thirty constraints took longer to parse than a job took to write. A call is parsed as its name alone, and the
-- connection caches the compiled function. As in a CHECK constraint, a rule about a null value holds.

CREATE FUNCTION worker_is_valid(kind text, capacity integer, attached boolean, ended_at timestamptz, end_reason text)
RETURNS boolean LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
    RETURN kind IN ('remote', 'pool', 'celery')
       AND capacity > 0
       AND end_reason IN ('lost', 'shutdown', 'removed', 'evicted')
       -- A worker that has ended has a reason and is not connected.
       AND (ended_at IS NULL) = (end_reason IS NULL)
       AND (ended_at IS NULL OR NOT attached);
END
$$;
CREATE FUNCTION posting_is_valid(
    status text, priority smallint, tries smallint, timeout_seconds real, backoff_base real, backoff_cap real,
    total integer, completed integer, failed integer, cancelled integer, finished_at timestamptz, unique_key text)
RETURNS boolean LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
    RETURN priority BETWEEN 0 AND 10
       AND tries BETWEEN 1 AND 100
       AND timeout_seconds > 0 AND backoff_base >= 0 AND backoff_cap >= 0
       AND length(unique_key) BETWEEN 1 AND 200
       AND completed >= 0 AND failed >= 0 AND cancelled >= 0 AND completed + failed + cancelled <= total
       -- A posting ends with the last of its jobs.
       AND CASE WHEN status IN ('completed', 'failed', 'cancelled')
                THEN finished_at IS NOT NULL AND completed + failed + cancelled = total
                ELSE finished_at IS NULL AND status IN ('executing', 'paused') END;
END
$$;
CREATE FUNCTION job_is_valid(
    state job_state, priority smallint, tries smallint, failures smallint, losses smallint, attempt integer, unmet_dependencies integer,
    worker_id uuid, run_at timestamptz, assigned_at timestamptz, started_at timestamptz, finished_at timestamptz, result jsonb,
    error jsonb, idempotency_key text, unique_key text)
RETURNS boolean LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
    RETURN priority BETWEEN 0 AND 10
       AND tries BETWEEN 1 AND 100
       AND failures BETWEEN 0 AND tries
       AND losses BETWEEN 0 AND 3
       AND attempt >= 0
       AND length(idempotency_key) BETWEEN 1 AND 200
       AND length(unique_key) BETWEEN 1 AND 200
       AND (unmet_dependencies > 0) = (state = 'blocked')
       AND (finished_at IS NOT NULL) = (state IN ('completed', 'failed', 'cancelled'))
       AND (error IS NOT NULL) = (state = 'failed')
       AND (result IS NULL OR state = 'completed')
       AND (run_at IS NULL OR state IN ('blocked', 'pending'))
       AND CASE state
           WHEN 'blocked' THEN worker_id IS NULL
           WHEN 'pending' THEN worker_id IS NULL
           WHEN 'assigned' THEN worker_id IS NOT NULL AND assigned_at IS NOT NULL AND attempt > 0
           WHEN 'running' THEN worker_id IS NOT NULL AND assigned_at IS NOT NULL AND attempt > 0 AND started_at IS NOT NULL
           ELSE true END;
END
$$;
-- The transitions that exist. The WHEN clause of the trigger calls this function for the same reason.
CREATE FUNCTION job_may_move(state job_state, attempt integer, new_state job_state, new_attempt integer)
RETURNS boolean LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
    RETURN CASE state
        WHEN 'blocked' THEN new_attempt = attempt AND new_state IN ('blocked', 'pending', 'failed', 'cancelled')
        WHEN 'pending' THEN CASE new_state
            WHEN 'assigned' THEN new_attempt = attempt + 1
            WHEN 'pending' THEN new_attempt = attempt
            WHEN 'cancelled' THEN new_attempt = attempt
            ELSE false END
        WHEN 'assigned' THEN new_attempt = attempt AND new_state <> 'blocked'
        WHEN 'running' THEN new_attempt = attempt AND new_state NOT IN ('blocked', 'assigned')
        ELSE false END;
END
$$;
-- Resources ------------------------------------------------------------------------------------------------------
-- Called only for extensions that ask for resources. As functions they cost the claim of other jobs one comparison.

-- Whether an offer of resources is enough for one job.
CREATE FUNCTION resources_cover(offered jsonb, asked jsonb)
RETURNS boolean LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
    RETURN NOT EXISTS (
        SELECT FROM jsonb_each_text(asked) AS need (name, amount)
        WHERE coalesce((offered ->> need.name)::float8, 0) < need.amount::float8);
END
$$;
-- How many jobs of an extension a worker may hold at once beside its jobs of other extensions. A pool process runs one job after
-- the other, so the jobs that it holds do not add up.
CREATE FUNCTION slots_by_resources(
    of_worker uuid, worker_kind text, worker_capacity integer, offered jsonb, of_extension integer, asked jsonb)
RETURNS integer LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
    IF NOT resources_cover(offered, asked) THEN
        RETURN 0;
    ELSIF worker_kind = 'pool' THEN
        RETURN worker_capacity;
    END IF;
    RETURN (
        -- The small addend keeps 0.3 / 0.1 from being rounded down to 2.
        SELECT greatest(0, min(floor(
            ((offered ->> need.name)::float8 - coalesce(used.amount, 0)) / need.amount::float8 + 1e-9)))::integer
        FROM jsonb_each_text(asked) AS need (name, amount)
        LEFT JOIN (
            SELECT taken.name, sum(taken.amount::float8) AS amount
            FROM job JOIN extension ON extension.id = job.extension_id
            CROSS JOIN LATERAL jsonb_each_text(extension.resources) AS taken (name, amount)
            WHERE job.worker_id = of_worker AND job.state IN ('assigned', 'running') AND job.extension_id <> of_extension
            GROUP BY taken.name
        ) AS used ON used.name = need.name);
END
$$;

-- The state of a breaker that opened, see domain/jobs/breaker. Failures of one submitter do not keep the worker from the others: while a
-- job of another one waits, the breaker is closed. A submitter has a waiting job if the last turn is not before the head of the
-- queue; a job that was assigned on submit and released has no turn, and is the head itself.
CREATE FUNCTION breaker_state(opened_at timestamptz, seconds real, failed_for uuid, of_extension integer)
RETURNS text LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
    IF opened_at IS NULL OR failed_for IS NOT NULL AND (
        failed_for <> (
            SELECT job.submitter FROM job
            WHERE job.extension_id = of_extension AND job.state = 'pending' AND job.run_at IS NULL
            ORDER BY job.extension_id, job.priority DESC, job.turn, job.id LIMIT 1)
        OR EXISTS (
            WITH RECURSIVE head AS (
                (SELECT job.priority, job.turn FROM job
                 WHERE job.extension_id = of_extension AND job.state = 'pending' AND job.run_at IS NULL
                 ORDER BY job.extension_id, job.priority DESC, job.turn, job.id LIMIT 1)
                UNION ALL
                SELECT next.priority, next.turn FROM head CROSS JOIN LATERAL (
                    SELECT job.priority, job.turn FROM job
                    WHERE job.extension_id = of_extension AND job.state = 'pending' AND job.run_at IS NULL
                      AND job.priority < head.priority
                    ORDER BY job.extension_id, job.priority DESC, job.turn, job.id LIMIT 1) AS next
            )
            -- At most two rows of each priority are read, since a submitter has one: those of all submitters may be many.
            SELECT FROM head CROSS JOIN LATERAL (
                SELECT fair_turn.submitter FROM fair_turn
                WHERE fair_turn.extension_id = of_extension AND fair_turn.priority = head.priority
                  AND fair_turn.last_turn >= head.turn
                ORDER BY fair_turn.extension_id, fair_turn.priority, fair_turn.last_turn LIMIT 2) AS waiting
            WHERE waiting.submitter <> failed_for)
    ) THEN
        RETURN 'closed';
    END IF;
    RETURN CASE WHEN opened_at + seconds * interval '1 second' > now() THEN 'open' ELSE 'probing' END;
END
$$;

-- Accounts ------------------------------------------------------------------------------------------------------

CREATE TABLE account (
    id            uuid        PRIMARY KEY,
    name          text        NOT NULL CHECK (length(name) BETWEEN 1 AND 64),
    role          text        NOT NULL CHECK (role IN ('guest', 'user', 'admin')),
    password_hash text,
    token_epoch   integer     NOT NULL DEFAULT 0,
    created_at    timestamptz NOT NULL DEFAULT now(),
    seen_at       timestamptz NOT NULL DEFAULT now(),
    disabled_at   timestamptz,
    guest_key_hash text,
    issuer        text,
    subject       text,
    CONSTRAINT account_identity_whole CHECK ((issuer IS NULL) = (subject IS NULL))
);
-- Case-insensitive: names that differ only in case could be mistaken for each other.
CREATE UNIQUE INDEX account_name_taken ON account (lower(name));
CREATE UNIQUE INDEX account_guest_key ON account (guest_key_hash) WHERE guest_key_hash IS NOT NULL;
CREATE UNIQUE INDEX account_identity ON account (issuer, subject) WHERE issuer IS NOT NULL;
CREATE INDEX account_admin ON account (id) WHERE role = 'admin';
CREATE INDEX account_idle_guest ON account (seen_at) WHERE role = 'guest';
COMMENT ON TABLE account IS 'A person, or a program that acts for one.';
COMMENT ON COLUMN account.id IS 'Set when the account is made.';
COMMENT ON COLUMN account.name IS 'Set when the account is made; shown to others. Replaced when an admin deletes the account while jobs refer to it.';
COMMENT ON COLUMN account.role IS 'Set by an admin, or at each sign-in from the groups of the provider. Read on every request: a token does not carry it.';
COMMENT ON COLUMN account.password_hash IS 'argon2id, set by the person or an admin; null for a guest and for an account of a provider.';
COMMENT ON COLUMN account.token_epoch IS 'Raised to revoke every token issued before.';
COMMENT ON COLUMN account.created_at IS 'Set when the account is made.';
COMMENT ON COLUMN account.seen_at IS 'Set with each sign-in of a guest and of an account of a provider. Upkeep deletes guests that are idle for long and that nothing refers to.';
COMMENT ON COLUMN account.disabled_at IS 'Set when an admin disables the account, or deletes it while jobs refer to it. Cleared when enabled again.';
COMMENT ON COLUMN account.guest_key_hash IS 'Set when a guest is made: SHA-256 of the name and the secret of the guest''s client, which signs in again with it.';
COMMENT ON COLUMN account.issuer IS 'Set when the account is made at a sign-in: the provider that vouches for the person, or `proxy` for a header of a proxy. Null for an account with a password and for a guest.';
COMMENT ON COLUMN account.subject IS 'Set with the issuer: what identifies the person there. Another person never gets it, while a name may change hands.';

CREATE TABLE login_code (
    account_id uuid        PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE,
    code_hash  text        NOT NULL UNIQUE,
    epoch      integer     NOT NULL,
    expires_at timestamptz NOT NULL
);
COMMENT ON TABLE login_code IS 'A code that signs an account in once. A new code of an account replaces the one before.';
COMMENT ON COLUMN login_code.account_id IS 'Set when the code is made: the account that it signs in.';
COMMENT ON COLUMN login_code.code_hash IS 'Set when the code is made: its SHA-256; the code itself is shown once.';
COMMENT ON COLUMN login_code.epoch IS 'Set when the code is made: the token epoch of the account. Revoking the tokens revokes the code.';
COMMENT ON COLUMN login_code.expires_at IS 'Set when the code is made.';

CREATE TABLE api_token (
    id           uuid        PRIMARY KEY,
    account_id   uuid        NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    name         text        NOT NULL CHECK (length(name) BETWEEN 1 AND 64),
    token_hash   bytea       NOT NULL UNIQUE CHECK (octet_length(token_hash) = 32),
    hint         text        NOT NULL CHECK (length(hint) <= 12),
    scopes       text[]      NOT NULL CHECK (cardinality(scopes) > 0 AND scopes <@ ARRAY['read', 'write', 'worker', 'metrics', 'admin']),
    created_at   timestamptz NOT NULL DEFAULT now(),
    expires_at   timestamptz,
    last_used_at timestamptz,
    CONSTRAINT api_token_name_taken UNIQUE (account_id, name)
);
COMMENT ON TABLE api_token IS 'A long-lived token that a person made for a program. Revoking it deletes the row.';
COMMENT ON COLUMN api_token.id IS 'Set when the token is made.';
COMMENT ON COLUMN api_token.account_id IS 'Set when the token is made: the account that programs with this token act for.';
COMMENT ON COLUMN api_token.name IS 'Set when the token is made, by the person.';
COMMENT ON COLUMN api_token.token_hash IS 'Set when the token is made: its SHA-256. The token is 256 random bits and shown once.';
COMMENT ON COLUMN api_token.hint IS 'Set when the token is made: its first characters, by which a person recognises it.';
COMMENT ON COLUMN api_token.scopes IS 'Set when the token is made: what it may do, see domain/api_token_scopes.';
COMMENT ON COLUMN api_token.created_at IS 'Set when the token is made.';
COMMENT ON COLUMN api_token.expires_at IS 'Set when the token is made; null: it does not expire.';
COMMENT ON COLUMN api_token.last_used_at IS 'Set with its use, at most about once a minute by each server.';

CREATE TABLE room (
    name        text        PRIMARY KEY CHECK (length(name) BETWEEN 1 AND 100 AND name NOT LIKE '@%'
                                               AND lower(name) NOT IN ('public', 'global', 'builtin')),
    number      integer     NOT NULL GENERATED ALWAYS AS IDENTITY UNIQUE,
    owner_id    uuid        REFERENCES account (id) ON DELETE SET NULL,
    description text        NOT NULL DEFAULT '',
    visibility  text        NOT NULL DEFAULT 'public' CHECK (visibility IN ('public', 'private')),
    locked      boolean     NOT NULL DEFAULT false,
    extensions_from text    NOT NULL DEFAULT 'members' CHECK (extensions_from IN ('members', 'users', 'guests')),
    archived    boolean     NOT NULL DEFAULT false,
    created_at  timestamptz NOT NULL DEFAULT now(),
    updated_at  timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX room_owner ON room (owner_id);
COMMENT ON TABLE room IS 'An isolated shared workspace.';
COMMENT ON COLUMN room.name IS 'Its id, set when it is made.';
COMMENT ON COLUMN room.number IS 'A short name for tables with many rows, set when it is made.';
COMMENT ON COLUMN room.owner_id IS 'Set when it is made: the account that made it.';
COMMENT ON COLUMN room.description IS 'Set by an owner.';
COMMENT ON COLUMN room.visibility IS 'Set by an owner; requests by non-members for a private room answer 404.';
COMMENT ON COLUMN room.locked IS 'Set by an owner; only owners can write in a locked room.';
COMMENT ON COLUMN room.extensions_from IS 'Set by an owner: who may offer extensions while the room is public. In a private room only members may.';
COMMENT ON COLUMN room.archived IS 'Set by an owner; the list of rooms shows archived rooms only on request.';
COMMENT ON COLUMN room.created_at IS 'Set when it is made.';
COMMENT ON COLUMN room.updated_at IS 'Set with every change of this row.';

CREATE TABLE room_thumbnail (
    room       integer     PRIMARY KEY REFERENCES room (number) ON DELETE CASCADE,
    media_type text        NOT NULL CHECK (media_type IN ('image/png', 'image/webp')),
    image      bytea       NOT NULL CHECK (octet_length(image) BETWEEN 1 AND 10240),
    updated_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE room_thumbnail IS 'The picture of a room in lists, which the web app of a person makes who views the room.';
COMMENT ON COLUMN room_thumbnail.room IS 'Set with the first picture.';
COMMENT ON COLUMN room_thumbnail.media_type IS 'Set with each picture, by its content.';
COMMENT ON COLUMN room_thumbnail.image IS 'Set with each picture: the file.';
COMMENT ON COLUMN room_thumbnail.updated_at IS 'Set with each picture.';

CREATE TABLE room_member (
    room       text        NOT NULL REFERENCES room (name) ON DELETE CASCADE,
    account_id uuid        NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    rights     text        NOT NULL CHECK (rights IN ('read', 'write', 'own')),
    added_at   timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (room, account_id)
);
CREATE INDEX room_member_account ON room_member (account_id);
COMMENT ON TABLE room_member IS 'The rights of an account in a room.';
COMMENT ON COLUMN room_member.room IS 'Set when the member is added.';
COMMENT ON COLUMN room_member.account_id IS 'Set when the member is added.';
COMMENT ON COLUMN room_member.rights IS 'read < write < own; set by an owner.';
COMMENT ON COLUMN room_member.added_at IS 'Set when the member is added.';

CREATE TABLE removed_member (
    room       text        NOT NULL REFERENCES room (name) ON DELETE CASCADE,
    account_id uuid        NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    removed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (room, account_id)
);
CREATE INDEX removed_member_account ON removed_member (account_id);
COMMENT ON TABLE removed_member IS 'A member whom an owner removed. Share links from before the removal are refused.';
COMMENT ON COLUMN removed_member.room IS 'Set when the member is removed.';
COMMENT ON COLUMN removed_member.account_id IS 'Set when the member is removed.';
COMMENT ON COLUMN removed_member.removed_at IS 'Set at each removal. The row is deleted when an owner adds the member again.';

CREATE TABLE quota (
    account_id uuid        REFERENCES account (id) ON DELETE CASCADE,
    room       text        REFERENCES room (name) ON DELETE CASCADE,
    name       text        NOT NULL,
    value      bigint      NOT NULL CHECK (value >= 0),
    set_at     timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT quota_is_one UNIQUE NULLS NOT DISTINCT (account_id, room, name),
    CONSTRAINT quota_of_one CHECK (num_nonnulls(account_id, room) = 1)
);
CREATE INDEX quota_room ON quota (room) WHERE room IS NOT NULL;
COMMENT ON TABLE quota IS 'A limit that an admin has set for one account or one room; the settings have the limits of the others.';
COMMENT ON COLUMN quota.account_id IS 'The account, or null for a room; set by an admin.';
COMMENT ON COLUMN quota.room IS 'The room, or null for an account; set by an admin.';
COMMENT ON COLUMN quota.name IS 'Which quota: see domain/quotas.';
COMMENT ON COLUMN quota.value IS 'The limit, set by an admin.';
COMMENT ON COLUMN quota.set_at IS 'Set with each change of the limit.';

CREATE TABLE share_link (
    id         uuid        PRIMARY KEY,
    room       text        NOT NULL REFERENCES room (name) ON DELETE CASCADE,
    token_hash text        NOT NULL UNIQUE,
    rights     text        NOT NULL CHECK (rights IN ('read', 'write')),
    created_by uuid        REFERENCES account (id) ON DELETE SET NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz
);
CREATE INDEX share_link_room ON share_link (room);
CREATE INDEX share_link_expiry ON share_link (expires_at) WHERE expires_at IS NOT NULL;
COMMENT ON TABLE share_link IS 'Lets its bearer into a private room.';
COMMENT ON COLUMN share_link.id IS 'Set when the link is made.';
COMMENT ON COLUMN share_link.room IS 'Set when the link is made.';
COMMENT ON COLUMN share_link.token_hash IS 'SHA-256 of the secret in the link; the secret itself is shown once.';
COMMENT ON COLUMN share_link.rights IS 'What the bearer becomes a member with.';
COMMENT ON COLUMN share_link.created_by IS 'Set when it is made: the account that made it.';
COMMENT ON COLUMN share_link.created_at IS 'Set when the link is made.';
COMMENT ON COLUMN share_link.expires_at IS 'Set when the link is made; null: never.';

-- Extensions and workers ----------------------------------------------------------------------------------------

CREATE TABLE extension (
    id               integer        PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    scope            text           NOT NULL CHECK (scope IN ('room', 'global', 'builtin', 'function')),
    room             text           REFERENCES room (name) ON DELETE CASCADE,
    category         text           NOT NULL,
    name             text           NOT NULL,
    schema           json           NOT NULL,
    schema_hash      text           NOT NULL CHECK (length(schema_hash) = 64),
    concurrency      integer        CHECK (concurrency > 0),
    timeout_seconds  real           CHECK (timeout_seconds > 0),
    tries            smallint       NOT NULL CHECK (tries BETWEEN 1 AND 100),
    backoff_base     real           NOT NULL CHECK (backoff_base >= 0),
    backoff_cap      real           NOT NULL CHECK (backoff_cap >= 0),
    on_worker_lost   on_worker_lost NOT NULL,
    priority         smallint       NOT NULL CHECK (priority BETWEEN 0 AND 10),
    breaker_failures integer        NOT NULL CHECK (breaker_failures >= 0),
    breaker_seconds  real           NOT NULL CHECK (breaker_seconds >= 0),
    resources        jsonb,
    paused           boolean        NOT NULL DEFAULT false,
    adjusted         boolean        NOT NULL DEFAULT false,
    owner_id         uuid           REFERENCES account (id) ON DELETE SET NULL,
    created_at       timestamptz    NOT NULL DEFAULT now(),
    updated_at       timestamptz    NOT NULL DEFAULT now(),
    offline_since    timestamptz,
    offered_by       uuid           REFERENCES account (id) ON DELETE SET NULL,
    removed_at       timestamptz,
    CONSTRAINT extension_is_one UNIQUE NULLS NOT DISTINCT (scope, room, category, name),
    CONSTRAINT extension_scope_names_its_room CHECK ((scope = 'room') = (room IS NOT NULL))
);
CREATE INDEX extension_room ON extension (room);
CREATE INDEX extension_removed ON extension (removed_at) WHERE removed_at IS NOT NULL;
COMMENT ON TABLE extension IS 'A named, typed callable and its queue. A function that postings call is one too, without a form (scope function). There is at most one row, and so at most one live schema, per identity.';
COMMENT ON COLUMN extension.id IS 'Set when first registered.';
COMMENT ON COLUMN extension.scope IS 'Set when first registered: visible in one room, in all, shipped with the server, or a function.';
COMMENT ON COLUMN extension.room IS 'The room it is visible in; null for the other scopes.';
COMMENT ON COLUMN extension.category IS 'Set when first registered: modifiers, selections, analysis, settings, …';
COMMENT ON COLUMN extension.name IS 'Set when first registered.';
COMMENT ON COLUMN extension.schema IS 'JSON schema of the arguments; replaced only when no other worker offers the old one, and then the jobs that wait are cancelled. Kept as text, in the order of its fields: forms show them so.';
COMMENT ON COLUMN extension.schema_hash IS 'SHA-256 of the canonical schema, computed by the server.';
COMMENT ON COLUMN extension.concurrency IS 'Set on registration, or by an admin: how many at once one worker takes; null: as many as it has slots.';
COMMENT ON COLUMN extension.timeout_seconds IS 'Set on registration: how long a job may run; null: as long as it likes.';
COMMENT ON COLUMN extension.tries IS 'Set on registration: how often a job is tried in all.';
COMMENT ON COLUMN extension.backoff_base IS 'Set on registration: seconds before the second try.';
COMMENT ON COLUMN extension.backoff_cap IS 'Set on registration: no pause is longer, in seconds.';
COMMENT ON COLUMN extension.on_worker_lost IS 'Set on registration: what becomes of a job whose worker is lost.';
COMMENT ON COLUMN extension.priority IS 'Set on registration, or by an admin: the priority of a job submitted without one.';
COMMENT ON COLUMN extension.breaker_failures IS 'Set on registration: so many failures in a row on one worker, each of another input, open its breaker; 0: never.';
COMMENT ON COLUMN extension.breaker_seconds IS 'Set on registration: how long a breaker stays open before one probe.';
COMMENT ON COLUMN extension.resources IS 'Set on registration: what a job of it needs of its worker, by name; null: nothing.';
COMMENT ON COLUMN extension.paused IS 'Set by an admin: no further job of it is assigned.';
COMMENT ON COLUMN extension.adjusted IS 'Set when an admin changes concurrency or priority: registrations then leave both. Cleared when the admin gives them back.';
COMMENT ON COLUMN extension.owner_id IS 'Set when first registered, after a removal, and with a new schema: the account that registered it. Workers of other accounts cannot change its settings.';
COMMENT ON COLUMN extension.created_at IS 'Set when first registered.';
COMMENT ON COLUMN extension.updated_at IS 'Set when a registration changes it.';
COMMENT ON COLUMN extension.offline_since IS 'Set when its last worker has ended; cleared by the registration of a worker. It is removed when this is long ago.';
COMMENT ON COLUMN extension.offered_by IS 'The account of its last worker, set with offline_since; null for a worker of the server, and when the account is gone.';
COMMENT ON COLUMN extension.removed_at IS 'Set when it has been offline for its time and has no unfinished jobs, or by its owner; cleared when registered again.';

CREATE TABLE worker (
    id            uuid        PRIMARY KEY,
    kind          text        NOT NULL,
    account_id    uuid        REFERENCES account (id) ON DELETE SET NULL,
    room          text        REFERENCES room (name) ON DELETE SET NULL,
    incarnation   integer     NOT NULL DEFAULT 1,
    capacity      integer     NOT NULL,
    info          jsonb       NOT NULL DEFAULT '{}',
    resources     jsonb,
    ends_at       timestamptz,
    registered_at timestamptz NOT NULL DEFAULT now(),
    lease_until   timestamptz NOT NULL,
    attached      boolean     NOT NULL DEFAULT false,
    attached_at   timestamptz,
    detached_at   timestamptz,
    socket        text,
    server        integer,
    served_at     timestamptz,
    draining      boolean     NOT NULL DEFAULT false,
    ended_at       timestamptz,
    end_reason   text,
    api_token_id uuid        REFERENCES api_token (id) ON DELETE SET NULL,
    CONSTRAINT worker_is_valid CHECK (worker_is_valid(kind, capacity, attached, ended_at, end_reason))
) WITH (fillfactor = 50);
CREATE INDEX worker_live ON worker (kind) WHERE ended_at IS NULL;
CREATE INDEX worker_by_api_token ON worker (api_token_id) WHERE api_token_id IS NOT NULL;
COMMENT ON TABLE worker IS 'A process that runs jobs.';
COMMENT ON COLUMN worker.id IS 'Issued by the server on registration; kept over reconnects.';
COMMENT ON COLUMN worker.kind IS 'Set on registration.';
COMMENT ON COLUMN worker.account_id IS 'Set on registration: the account that registered it; null for the server''s own pool.';
COMMENT ON COLUMN worker.room IS 'The room it was registered from, if any.';
COMMENT ON COLUMN worker.incarnation IS 'Raised each time it registers again; older incarnations are refused.';
COMMENT ON COLUMN worker.capacity IS 'Set on registration: how many jobs it holds at once.';
COMMENT ON COLUMN worker.info IS 'Set on registration: machine, process, versions.';
COMMENT ON COLUMN worker.resources IS 'Set on registration: what it offers to its jobs together, by name; null: nothing.';
COMMENT ON COLUMN worker.ends_at IS 'Set on registration: when it will end, for example with its walltime; null: not known. It gets no job whose time-out is later.';
COMMENT ON COLUMN worker.registered_at IS 'Set on registration.';
COMMENT ON COLUMN worker.lease_until IS 'Moved forward by each heartbeat; a worker whose lease has ended is lost.';
COMMENT ON COLUMN worker.attached IS 'Whether jobs can reach it now: its socket is connected, or it fetches jobs itself.';
COMMENT ON COLUMN worker.attached_at IS 'Set when its socket connects: jobs assigned before that are sent again, and must be confirmed from then on.';
COMMENT ON COLUMN worker.socket IS 'Set when its socket connects: the id of the socket. Only the end of this socket detaches the worker.';
COMMENT ON COLUMN worker.server IS 'Set when its socket connects: the number of the server that has the socket.';
COMMENT ON COLUMN worker.detached_at IS 'Set when its socket closes, cleared when it is back: the reconnect grace counts from here.';
COMMENT ON COLUMN worker.served_at IS 'Set when it gets a job: the worker served longest ago is next.';
COMMENT ON COLUMN worker.draining IS 'Set when it shuts down: it finishes what it has and gets nothing more.';
COMMENT ON COLUMN worker.ended_at IS 'Set when it is lost, has shut down or is removed; the rescuer then releases or fails its jobs.';
COMMENT ON COLUMN worker.api_token_id IS 'Set on registration: the API token that registered it, if one did. The worker ends with the token.';
COMMENT ON COLUMN worker.end_reason IS 'Set with ended_at. An evicted worker was removed by an owner of its room, and cannot register again under its id.';

CREATE TABLE heartbeat_window (
    kind       text        PRIMARY KEY,
    open_since timestamptz NOT NULL,
    open_until timestamptz NOT NULL
);
COMMENT ON TABLE heartbeat_window IS 'Since when, without a gap, heartbeats of a kind of workers could arrive. No worker is lost before a whole lease of it.';
COMMENT ON COLUMN heartbeat_window.kind IS 'The kind of the workers. A server records it for remote ones, the upkeep leader for those that write to the database themselves.';
COMMENT ON COLUMN heartbeat_window.open_since IS 'Set when a server starts, and after each gap: a frozen process, a database that was away, a time without a server.';
COMMENT ON COLUMN heartbeat_window.open_until IS 'Moved forward several times within each lease; when it is old, heartbeats could not arrive since then.';

-- Finished attempts per worker. Deriving them from jobs would need another index on every job, so the server and the pools
-- count reports in memory and write the counts a few times a minute.
CREATE TABLE worker_throughput (
    worker_id uuid        NOT NULL REFERENCES worker (id) ON DELETE CASCADE,
    place     smallint    NOT NULL CHECK (place >= 0),
    began_at  timestamptz NOT NULL,
    ended     integer     NOT NULL CHECK (ended > 0),
    failed    integer     NOT NULL CHECK (failed BETWEEN 0 AND ended),
    PRIMARY KEY (worker_id, place)
) WITH (fillfactor = 50);
COMMENT ON TABLE worker_throughput IS 'How many attempts a worker ended within ten seconds. Each worker has a ring buffer of thirty rows, which is five minutes.';
COMMENT ON COLUMN worker_throughput.worker_id IS 'Set when the worker first ends an attempt in this slot of the ring.';
COMMENT ON COLUMN worker_throughput.place IS 'The slot in the ring, derived from began_at.';
COMMENT ON COLUMN worker_throughput.began_at IS 'When the ten seconds began; set when the slot is first used and when it is reused, five minutes or more later.';
COMMENT ON COLUMN worker_throughput.ended IS 'How many attempts ended, counted by the server or pool that received the reports. A repeated report counts again.';
COMMENT ON COLUMN worker_throughput.failed IS 'How many of them failed.';

CREATE TABLE offer (
    worker_id    uuid    NOT NULL REFERENCES worker (id) ON DELETE CASCADE,
    extension_id integer NOT NULL REFERENCES extension (id) ON DELETE CASCADE,
    served_at    timestamptz,
    failures     integer NOT NULL DEFAULT 0 CHECK (failures >= 0),
    failed_inputs bigint[] NOT NULL DEFAULT '{}' CHECK (cardinality(failed_inputs) <= 64),
    failed_for   uuid,
    opened_at    timestamptz,
    PRIMARY KEY (worker_id, extension_id)
) WITH (fillfactor = 50);
CREATE INDEX offer_extension ON offer (extension_id);
COMMENT ON TABLE offer IS 'An extension that a worker runs, and the breaker between the two.';
COMMENT ON COLUMN offer.worker_id IS 'Set on registration.';
COMMENT ON COLUMN offer.extension_id IS 'Set on registration.';
COMMENT ON COLUMN offer.served_at IS 'Set when the worker gets a job of it: among equals the extension served longest ago is next.';
COMMENT ON COLUMN offer.failures IS 'Failures in a row, each input counted once; raised by a failure, reset by a success.';
COMMENT ON COLUMN offer.failed_inputs IS 'Hashes of the submitter, room and arguments of the last of these failures, 64 at most; reset by a success.';
COMMENT ON COLUMN offer.failed_for IS 'The submitter of these failures; null without failures, when there are several, and when the worker did not confirm a job.';
COMMENT ON COLUMN offer.opened_at IS 'Set when the breaker opens; reset by a success.';

-- Jobs ----------------------------------------------------------------------------------------------------------

CREATE TABLE posting (
    id              uuid           PRIMARY KEY,
    extension_id    integer        NOT NULL REFERENCES extension (id),
    submitter       uuid           NOT NULL REFERENCES account (id),
    room            text           REFERENCES room (name) ON DELETE CASCADE,
    label           text           NOT NULL DEFAULT '',
    status          text           NOT NULL DEFAULT 'executing',
    priority        smallint       NOT NULL,
    tries           smallint       NOT NULL,
    timeout_seconds real,
    backoff_base    real,
    backoff_cap     real,
    on_worker_lost  on_worker_lost NOT NULL DEFAULT 'requeue',
    sealed          boolean        NOT NULL DEFAULT false,
    has_dependents         boolean        NOT NULL DEFAULT false,
    total           integer        NOT NULL DEFAULT 0,
    completed       integer        NOT NULL DEFAULT 0,
    failed          integer        NOT NULL DEFAULT 0,
    cancelled       integer        NOT NULL DEFAULT 0,
    created_at      timestamptz    NOT NULL DEFAULT now(),
    finished_at     timestamptz,
    unique_key      text,
    by_job          uuid,
    posted_by       uuid,
    duplicates      integer        NOT NULL DEFAULT 0,
    CONSTRAINT posting_is_valid CHECK (posting_is_valid(
        status, priority, tries, timeout_seconds, backoff_base, backoff_cap, total, completed, failed, cancelled, finished_at,
        unique_key))
) WITH (fillfactor = 50);
CREATE UNIQUE INDEX posting_key_used ON posting (submitter, extension_id, unique_key) WHERE unique_key IS NOT NULL;
CREATE INDEX posting_open ON posting (id) WHERE finished_at IS NULL;
CREATE INDEX posting_unfinished ON posting (submitter) WHERE finished_at IS NULL;
CREATE INDEX posting_of_room ON posting (room) WHERE room IS NOT NULL;
CREATE INDEX posting_unfinished_in_room ON posting (room) WHERE room IS NOT NULL AND finished_at IS NULL;
CREATE INDEX posting_of_submitter ON posting (submitter);
COMMENT ON TABLE posting IS 'A batch of jobs for one function.';
COMMENT ON COLUMN posting.id IS 'Set when posted; its jobs'' ids begin with the same twelve bytes.';
COMMENT ON COLUMN posting.extension_id IS 'The function, set when posted.';
COMMENT ON COLUMN posting.submitter IS 'Set when posted.';
COMMENT ON COLUMN posting.room IS 'The room it belongs to, if any; set when posted.';
COMMENT ON COLUMN posting.label IS 'Set when posted: a name shown to people.';
COMMENT ON COLUMN posting.status IS 'executing or paused: set by people. completed, failed or cancelled: set when its last job ends.';
COMMENT ON COLUMN posting.priority IS 'Set when posted.';
COMMENT ON COLUMN posting.tries IS 'Set when posted: how often each job is tried in all.';
COMMENT ON COLUMN posting.timeout_seconds IS 'Set when posted; null: the function''s.';
COMMENT ON COLUMN posting.backoff_base IS 'Set when posted; null: the function''s.';
COMMENT ON COLUMN posting.backoff_cap IS 'Set when posted; null: the function''s.';
COMMENT ON COLUMN posting.on_worker_lost IS 'Set when posted.';
COMMENT ON COLUMN posting.sealed IS 'Set when its last job has been written: only then can it end.';
COMMENT ON COLUMN posting.has_dependents IS 'Set when a job is submitted that depends on it.';
COMMENT ON COLUMN posting.total IS 'Raised as its jobs are written.';
COMMENT ON COLUMN posting.completed IS 'Raised in the transaction that completes a job of it.';
COMMENT ON COLUMN posting.failed IS 'Raised in the transaction that fails a job of it.';
COMMENT ON COLUMN posting.cancelled IS 'Raised in the transaction that cancels a job of it.';
COMMENT ON COLUMN posting.created_at IS 'Set when posted.';
COMMENT ON COLUMN posting.finished_at IS 'Set when its last job ends.';
COMMENT ON COLUMN posting.unique_key IS 'Set when posted: the same submitter posting with the same key again gets this posting.';
COMMENT ON COLUMN posting.by_job IS 'Set when posted by a job of a remote worker: that job may pause, resume and cancel the posting.';
COMMENT ON COLUMN posting.posted_by IS 'Set when posted: the submitter or, for a posting by a job, the owner of the worker that ran the job; null for the server''s own pool. A remote worker runs calls of its owner only if the owner posted them.';
COMMENT ON COLUMN posting.duplicates IS 'Set when posted: how many calls were left out because an unfinished job had the same key.';

-- This table has no foreign keys: checking them would cost more than the insert. Extensions, accounts and postings with jobs
-- are never deleted, and deleting a room deletes its jobs.
CREATE TABLE job (
    id                  uuid           NOT NULL,
    extension_id        integer        NOT NULL,
    priority            smallint       NOT NULL,
    tries               smallint       NOT NULL,
    failures            smallint       NOT NULL DEFAULT 0,
    losses              smallint       NOT NULL DEFAULT 0,
    turn                bigint         NOT NULL,
    state               job_state      NOT NULL,
    on_worker_lost      on_worker_lost NOT NULL,
    attempt             integer        NOT NULL DEFAULT 0,
    unmet_dependencies               integer        NOT NULL DEFAULT 0,
    has_dependents             boolean        NOT NULL DEFAULT false,
    submitter           uuid           NOT NULL,
    posting_id          uuid,
    worker_id           uuid,
    retry_of            uuid,
    created_at          timestamptz    NOT NULL DEFAULT now(),
    run_at              timestamptz,
    assigned_at         timestamptz,
    started_at          timestamptz,
    finished_at         timestamptz,
    cancel_requested_at timestamptz,
    room                text,
    idempotency_key     text,
    arguments           jsonb          NOT NULL,
    result              jsonb,
    error               jsonb,
    unique_key          text,
    CONSTRAINT job_pkey PRIMARY KEY (id),
    CONSTRAINT job_is_valid CHECK (job_is_valid(
        state, priority, tries, failures, losses, attempt, unmet_dependencies, worker_id, run_at, assigned_at, started_at, finished_at, result,
        error, idempotency_key, unique_key))
) WITH (
    fillfactor = 70,
    autovacuum_vacuum_scale_factor = 0.02,
    autovacuum_vacuum_insert_scale_factor = 0.1,
    autovacuum_analyze_scale_factor = 0.1
);
-- The claim reads this index from its head, in its own order, and nothing else.
CREATE INDEX job_waiting ON job (extension_id, priority DESC, turn, id) WHERE state = 'pending' AND run_at IS NULL;
CREATE INDEX job_due ON job (run_at) WHERE state = 'pending' AND run_at IS NOT NULL;
CREATE INDEX job_active ON job (worker_id, extension_id) WHERE state IN ('assigned', 'running');
CREATE INDEX job_of_room ON job (room, id) WHERE room IS NOT NULL;
-- A room with a posting of a million calls lists its other jobs without reading the calls.
CREATE INDEX job_single_of_room ON job (room, id) WHERE room IS NOT NULL AND posting_id IS NULL;
-- The same for the jobs of all rooms.
CREATE INDEX job_single ON job (id) WHERE posting_id IS NULL;
CREATE INDEX job_of_submitter ON job (submitter, id) WHERE posting_id IS NULL;
-- Count the unfinished jobs of an account and of a room for their quotas. Jobs of postings are not in them: the posting
-- counts them.
CREATE INDEX job_unfinished ON job (submitter)
    WHERE posting_id IS NULL AND state IN ('blocked', 'pending', 'assigned', 'running');
CREATE INDEX job_unfinished_in_room ON job (room)
    WHERE posting_id IS NULL AND room IS NOT NULL AND state IN ('blocked', 'pending', 'assigned', 'running');
CREATE INDEX job_failed ON job (id) WHERE state = 'failed';
CREATE UNIQUE INDEX job_key_used ON job (submitter, extension_id, idempotency_key) WHERE idempotency_key IS NOT NULL;
-- Partial: jobs without a key, nearly all, are not in it.
CREATE UNIQUE INDEX job_is_unique ON job (extension_id, unique_key)
    WHERE unique_key IS NOT NULL AND state IN ('blocked', 'pending', 'assigned', 'running');
COMMENT ON TABLE job IS 'One call of an extension or function.';
COMMENT ON COLUMN job.id IS 'Set on submit: a UUIDv7; for a job of a posting the posting''s first twelve bytes and its position.';
COMMENT ON COLUMN job.extension_id IS 'Set on submit.';
COMMENT ON COLUMN job.priority IS 'Set on submit: 10 is most urgent.';
COMMENT ON COLUMN job.tries IS 'Set on submit: how often it is tried in all.';
COMMENT ON COLUMN job.failures IS 'Raised when a try fails.';
COMMENT ON COLUMN job.losses IS 'Raised when a worker is lost that was running it.';
COMMENT ON COLUMN job.turn IS 'Set on submit: its position in the queue among jobs of the same priority. A released job keeps it.';
COMMENT ON COLUMN job.state IS 'Set by each transition; see domain/jobs.';
COMMENT ON COLUMN job.on_worker_lost IS 'Set on submit.';
COMMENT ON COLUMN job.attempt IS 'Raised by one with each assignment; every write for the job must name it.';
COMMENT ON COLUMN job.unmet_dependencies IS 'Set on submit: how many jobs and postings it still waits for; lowered as they complete.';
COMMENT ON COLUMN job.has_dependents IS 'Set when a job is submitted that depends on it.';
COMMENT ON COLUMN job.submitter IS 'Set on submit: the account that submitted it.';
COMMENT ON COLUMN job.posting_id IS 'Set on submit, for a job of a posting.';
COMMENT ON COLUMN job.worker_id IS 'Set by assign, cleared by release and retry, kept at the end.';
COMMENT ON COLUMN job.retry_of IS 'Set on submit when a person retries an ended job: that job.';
COMMENT ON COLUMN job.created_at IS 'Set on submit.';
COMMENT ON COLUMN job.run_at IS 'Set on submit or retry: not before; infinity while its posting is paused. Cleared by the scheduler when due.';
COMMENT ON COLUMN job.assigned_at IS 'Set by assign, cleared by release and retry.';
COMMENT ON COLUMN job.started_at IS 'Set by start, cleared by release and retry.';
COMMENT ON COLUMN job.finished_at IS 'Set with the final state.';
COMMENT ON COLUMN job.cancel_requested_at IS 'Set when it is cancelled. A job at a worker then waits until the worker confirms.';
COMMENT ON COLUMN job.room IS 'Set on submit: the room it acts on, if any.';
COMMENT ON COLUMN job.idempotency_key IS 'Set on submit: the same key again answers the same job.';
COMMENT ON COLUMN job.arguments IS 'Set on submit.';
COMMENT ON COLUMN job.result IS 'Set when the job completes.';
COMMENT ON COLUMN job.error IS 'Set with state failed: type, message, traceback, reason.';
COMMENT ON COLUMN job.unique_key IS 'Set on submit: until this job has ended, no other job of the function can have the same key.';

-- Guards every statement: a final job never changes, and a job makes only the transitions of job_may_move.
CREATE FUNCTION refuse_move() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'job % cannot go from % (attempt %) to % (attempt %)',
        OLD.id, OLD.state, OLD.attempt, NEW.state, NEW.attempt
        USING ERRCODE = 'check_violation', CONSTRAINT = 'job_moves_as_allowed';
END
$$;
CREATE TRIGGER job_moves_as_allowed AFTER UPDATE ON job FOR EACH ROW
    WHEN (NOT job_may_move(OLD.state, OLD.attempt, NEW.state, NEW.attempt)) EXECUTE FUNCTION refuse_move();

CREATE TABLE dependency (
    job_id        uuid NOT NULL REFERENCES job (id) ON DELETE CASCADE,
    needs_job     uuid,
    needs_posting uuid,
    ended_at      timestamptz,
    CONSTRAINT dependency_needs_one CHECK (num_nonnulls(needs_job, needs_posting) = 1),
    CONSTRAINT dependency_is_one UNIQUE NULLS NOT DISTINCT (job_id, needs_job, needs_posting)
) WITH (fillfactor = 70);
CREATE INDEX dependency_needs_job ON dependency (needs_job) WHERE needs_job IS NOT NULL;
CREATE INDEX dependency_needs_posting ON dependency (needs_posting) WHERE needs_posting IS NOT NULL;
COMMENT ON TABLE dependency IS 'What a job depends on. The row is kept as long as the job, so that its graph can be shown.';
COMMENT ON COLUMN dependency.job_id IS 'The job that waits, set on submit.';
COMMENT ON COLUMN dependency.needs_job IS 'The job that must complete first.';
COMMENT ON COLUMN dependency.needs_posting IS 'The posting that must complete first.';
COMMENT ON COLUMN dependency.ended_at IS 'Set when the job no longer waits for it: it completed, before or after the submission, or the job failed or was cancelled. Null: the job is blocked by it.';

CREATE TABLE failed_attempt (
    job_id      uuid        NOT NULL REFERENCES job (id) ON DELETE CASCADE,
    attempt     integer     NOT NULL,
    worker_id   uuid        NOT NULL,
    reason      text        NOT NULL CHECK (reason IN ('failed', 'worker_lost', 'unconfirmed')),
    error       jsonb,
    assigned_at timestamptz NOT NULL,
    started_at  timestamptz,
    ended_at    timestamptz NOT NULL,
    PRIMARY KEY (job_id, attempt)
);
COMMENT ON TABLE failed_attempt IS 'An attempt that did not complete and was followed by another. The last attempt is recorded in the job itself.';
COMMENT ON COLUMN failed_attempt.job_id IS 'Set when the attempt ends.';
COMMENT ON COLUMN failed_attempt.attempt IS 'Set when the attempt ends.';
COMMENT ON COLUMN failed_attempt.worker_id IS 'The worker that had the job.';
COMMENT ON COLUMN failed_attempt.reason IS 'The worker failed it, was lost with it, or never confirmed it.';
COMMENT ON COLUMN failed_attempt.error IS 'What the worker reported, if anything.';
COMMENT ON COLUMN failed_attempt.assigned_at IS 'Taken from the job.';
COMMENT ON COLUMN failed_attempt.started_at IS 'Taken from the job; null if it was never confirmed.';
COMMENT ON COLUMN failed_attempt.ended_at IS 'Set when the attempt ends.';

CREATE TABLE job_progress (
    job_id     uuid        PRIMARY KEY REFERENCES job (id) ON DELETE CASCADE,
    attempt    integer     NOT NULL,
    fraction   real        CHECK (fraction BETWEEN 0 AND 1),
    message    text        NOT NULL DEFAULT '',
    updated_at timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 50);
COMMENT ON TABLE job_progress IS 'The last progress report of a job. A separate table, so that reports do not rewrite the job row.';
COMMENT ON COLUMN job_progress.job_id IS 'Set with the first report.';
COMMENT ON COLUMN job_progress.attempt IS 'The attempt that reported.';
COMMENT ON COLUMN job_progress.fraction IS 'Set by the worker; null: unknown.';
COMMENT ON COLUMN job_progress.message IS 'Set by the worker.';
COMMENT ON COLUMN job_progress.updated_at IS 'Set with each report.';

CREATE TABLE job_log (
    job_id  uuid        NOT NULL REFERENCES job (id) ON DELETE CASCADE,
    line    bigint      NOT NULL,
    attempt integer     NOT NULL,
    at      timestamptz NOT NULL DEFAULT now(),
    text    text        NOT NULL,
    PRIMARY KEY (job_id, line)
);
COMMENT ON TABLE job_log IS 'The last lines a job printed or logged.';
COMMENT ON COLUMN job_log.job_id IS 'Set when the line arrives.';
COMMENT ON COLUMN job_log.line IS 'Its number, from 1.';
COMMENT ON COLUMN job_log.attempt IS 'The attempt that wrote it.';
COMMENT ON COLUMN job_log.at IS 'Set when the line arrives.';
COMMENT ON COLUMN job_log.text IS 'Set by the worker; bounded.';

CREATE TABLE input_file (
    id          uuid        PRIMARY KEY,
    room        text        NOT NULL REFERENCES room (name) ON DELETE CASCADE,
    account_id  uuid        REFERENCES account (id) ON DELETE SET NULL,
    name        text        NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
    size        bigint      NOT NULL CHECK (size > 0),
    created_at  timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX input_file_room ON input_file (room);
CREATE INDEX input_file_account ON input_file (account_id);
CREATE INDEX input_file_age ON input_file (created_at);
COMMENT ON TABLE input_file IS 'A file that was uploaded for a field of an extension. Upkeep deletes it when no job has it.';
COMMENT ON COLUMN input_file.id IS 'Set when it is uploaded.';
COMMENT ON COLUMN input_file.room IS 'Set when it is uploaded: only jobs of this room can have it.';
COMMENT ON COLUMN input_file.account_id IS 'Set when it is uploaded: the account that did.';
COMMENT ON COLUMN input_file.name IS 'Set when it is uploaded: the name of the file without folders.';
COMMENT ON COLUMN input_file.size IS 'Set when it is uploaded: its bytes.';
COMMENT ON COLUMN input_file.created_at IS 'Set when it is uploaded.';

-- In parts, so that neither the server nor a client has a whole file in memory.
CREATE TABLE input_file_part (
    file_id uuid    NOT NULL REFERENCES input_file (id) ON DELETE CASCADE,
    ordinal integer NOT NULL CHECK (ordinal >= 0),
    body    bytea   NOT NULL,
    PRIMARY KEY (file_id, ordinal)
);
COMMENT ON TABLE input_file_part IS 'A part of the content of an uploaded file.';
COMMENT ON COLUMN input_file_part.file_id IS 'Set when it is uploaded.';
COMMENT ON COLUMN input_file_part.ordinal IS 'Set when it is uploaded: counts the parts from 0.';
COMMENT ON COLUMN input_file_part.body IS 'Set when it is uploaded.';

CREATE TABLE job_input (
    job_id  uuid NOT NULL REFERENCES job (id) ON DELETE CASCADE,
    file_id uuid NOT NULL REFERENCES input_file (id) ON DELETE CASCADE,
    PRIMARY KEY (job_id, file_id)
);
CREATE INDEX job_input_file ON job_input (file_id);
COMMENT ON TABLE job_input IS 'Which uploaded files the arguments of a job name.';
COMMENT ON COLUMN job_input.job_id IS 'Set when the job is submitted.';
COMMENT ON COLUMN job_input.file_id IS 'Set when the job is submitted. The file is kept as long as one of its jobs.';

CREATE TABLE fair_turn (
    extension_id integer     NOT NULL REFERENCES extension (id) ON DELETE CASCADE,
    priority     smallint    NOT NULL,
    submitter    uuid        NOT NULL,
    last_turn    bigint      NOT NULL,
    used_at      timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (extension_id, priority, submitter)
) WITH (fillfactor = 50);
-- The largest turn of a queue is one lookup, however many submitters it has had.
CREATE INDEX fair_turn_last ON fair_turn (extension_id, priority, last_turn);
COMMENT ON TABLE fair_turn IS 'The last turn each submitter took in the queue of an extension.';
COMMENT ON COLUMN fair_turn.extension_id IS 'Set with the first job.';
COMMENT ON COLUMN fair_turn.priority IS 'Set with the first job: each priority has its own turns.';
COMMENT ON COLUMN fair_turn.submitter IS 'Set with the first job.';
COMMENT ON COLUMN fair_turn.last_turn IS 'Raised with each job that joins the queue. A job assigned on submit takes no turn.';
COMMENT ON COLUMN fair_turn.used_at IS 'Set with each turn; upkeep deletes rows that were not used for WORKROOM_FAIR_TURN_DAYS.';

CREATE TABLE job_count (
    extension_id integer NOT NULL REFERENCES extension (id) ON DELETE CASCADE,
    shard        integer NOT NULL,
    blocked      bigint  NOT NULL DEFAULT 0,
    pending      bigint  NOT NULL DEFAULT 0,
    active       bigint  NOT NULL DEFAULT 0,
    completed    bigint  NOT NULL DEFAULT 0,
    failed       bigint  NOT NULL DEFAULT 0,
    cancelled    bigint  NOT NULL DEFAULT 0,
    run_ms       double precision,
    PRIMARY KEY (extension_id, shard)
) WITH (fillfactor = 50);
COMMENT ON TABLE job_count IS 'How many jobs an extension has in each state: the sum over its shards. Each database session writes its own shard, so sessions never wait for each other here.';
COMMENT ON COLUMN job_count.extension_id IS 'Set with the first job.';
COMMENT ON COLUMN job_count.shard IS 'The process id of the session that writes it; 0 for those folded together.';
COMMENT ON COLUMN job_count.blocked IS 'Changed by every statement that moves a job.';
COMMENT ON COLUMN job_count.pending IS 'Changed by every statement that moves a job.';
COMMENT ON COLUMN job_count.active IS 'Assigned and running together; changed by every statement that moves a job.';
COMMENT ON COLUMN job_count.completed IS 'Ever completed: pruning does not lower it.';
COMMENT ON COLUMN job_count.failed IS 'Ever failed.';
COMMENT ON COLUMN job_count.cancelled IS 'Ever cancelled.';
COMMENT ON COLUMN job_count.run_ms IS 'Recent mean run time of completed jobs, in milliseconds.';

-- A counter of Prometheus must never fall: when an extension is deleted, its counts are added here.
CREATE TABLE removed_job_count (
    is_only   boolean PRIMARY KEY DEFAULT true CHECK (is_only),
    completed bigint  NOT NULL DEFAULT 0,
    failed    bigint  NOT NULL DEFAULT 0,
    cancelled bigint  NOT NULL DEFAULT 0
);
COMMENT ON TABLE removed_job_count IS 'Ended jobs of extensions that were deleted, in one row.';
COMMENT ON COLUMN removed_job_count.is_only IS 'Set with the row, of which there is one.';
COMMENT ON COLUMN removed_job_count.completed IS 'Raised when an extension is deleted.';
COMMENT ON COLUMN removed_job_count.failed IS 'Raised when an extension is deleted.';
COMMENT ON COLUMN removed_job_count.cancelled IS 'Raised when an extension is deleted. Its unfinished jobs count as cancelled.';

CREATE FUNCTION keep_job_count() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO removed_job_count AS t (completed, failed, cancelled)
    SELECT coalesce(sum(completed), 0), coalesce(sum(failed), 0),
           coalesce(sum(cancelled + blocked + pending + active), 0)
    FROM job_count WHERE extension_id = old.id
    ON CONFLICT (is_only) DO UPDATE SET completed = t.completed + excluded.completed,
        failed = t.failed + excluded.failed, cancelled = t.cancelled + excluded.cancelled;
    RETURN old;
END $$;
CREATE TRIGGER extension_leaves_its_counts BEFORE DELETE ON extension FOR EACH ROW EXECUTE FUNCTION keep_job_count();

-- Servers and pools count in memory, and write a few times a minute.
CREATE TABLE job_latency (
    kind    text             NOT NULL CHECK (kind IN ('wait', 'run')),
    bound   double precision NOT NULL CHECK (bound > 0),
    shard   smallint         NOT NULL,
    jobs    bigint           NOT NULL CHECK (jobs > 0),
    seconds double precision NOT NULL,
    PRIMARY KEY (kind, bound, shard)
) WITH (fillfactor = 50);
COMMENT ON TABLE job_latency IS 'How long jobs have waited and run: histograms of all jobs ever, each the sum over its shards.';
COMMENT ON COLUMN job_latency.kind IS 'Set with the first job: wait is from the submission to the start, run from the start to the end.';
COMMENT ON COLUMN job_latency.bound IS 'Set with the first job: the largest time of this bucket, in seconds; infinity for the last.';
COMMENT ON COLUMN job_latency.shard IS 'One of sixteen, so that sessions seldom wait for each other.';
COMMENT ON COLUMN job_latency.jobs IS 'Raised by servers and pools. A process that is killed loses the counts of a few seconds.';
COMMENT ON COLUMN job_latency.seconds IS 'Raised with jobs: the time of all of them together.';

-- Servers and pools count in memory, and write a few times a minute. An index of jobs by their end would cost every job a write.
CREATE TABLE job_history (
    hour         timestamptz NOT NULL,
    extension_id integer     NOT NULL REFERENCES extension (id) ON DELETE CASCADE,
    room         text        REFERENCES room (name) ON DELETE CASCADE,
    completed    bigint      NOT NULL,
    failed       bigint      NOT NULL,
    cancelled    bigint      NOT NULL,
    waits        bigint[]    NOT NULL,
    runs         bigint[]    NOT NULL,
    CONSTRAINT job_history_is_one UNIQUE NULLS NOT DISTINCT (hour, extension_id, room)
) WITH (fillfactor = 50);
CREATE INDEX job_history_of_room ON job_history (room, hour) WHERE room IS NOT NULL;
CREATE INDEX job_history_of_extension ON job_history (extension_id);
COMMENT ON TABLE job_history IS 'How many jobs of an extension ended within an hour in a room, and how long they took. It outlasts the jobs: upkeep deletes rows older than WORKROOM_HISTORY_DAYS.';
COMMENT ON COLUMN job_history.hour IS 'Set with the first job: the begin of the hour in which servers and pools wrote the counts.';
COMMENT ON COLUMN job_history.extension_id IS 'Set with the first job.';
COMMENT ON COLUMN job_history.room IS 'Set with the first job: the room of the jobs, if any.';
COMMENT ON COLUMN job_history.completed IS 'Raised by servers and pools. A process that is killed loses the counts of a few seconds.';
COMMENT ON COLUMN job_history.failed IS 'Raised by servers and pools: jobs that failed for good.';
COMMENT ON COLUMN job_history.cancelled IS 'Raised by servers and pools.';
COMMENT ON COLUMN job_history.waits IS 'Raised by servers and pools: completed jobs by their time from the submission to the start, in buckets that double from 1 ms on. Of many calls that end together, some are counted.';
COMMENT ON COLUMN job_history.runs IS 'Raised with waits: the same jobs by their time from the start to the end.';

CREATE TABLE setting_value (
    room       text        NOT NULL REFERENCES room (name) ON DELETE CASCADE,
    account_id uuid        NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    name       text        NOT NULL,
    data       jsonb       NOT NULL,
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (room, account_id, name)
);
CREATE INDEX setting_value_account ON setting_value (account_id);
COMMENT ON TABLE setting_value IS 'The values an account last submitted to an extension of category settings in a room; such a submission queues no job.';
COMMENT ON COLUMN setting_value.room IS 'Set on submit.';
COMMENT ON COLUMN setting_value.account_id IS 'Set on submit.';
COMMENT ON COLUMN setting_value.name IS 'The extension, set on submit.';
COMMENT ON COLUMN setting_value.data IS 'Set on each submit, checked against the extension''s schema.';
COMMENT ON COLUMN setting_value.updated_at IS 'Set on each submit.';

CREATE TABLE form_preset (
    room       text        NOT NULL REFERENCES room (name) ON DELETE CASCADE,
    category   text        NOT NULL,
    extension  text        NOT NULL,
    name       text        NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
    account_id uuid        REFERENCES account (id) ON DELETE SET NULL,
    data       jsonb       NOT NULL,
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (room, category, extension, name)
);
CREATE INDEX form_preset_account ON form_preset (account_id);
COMMENT ON TABLE form_preset IS 'Values of a form that a person saved under a name, for all people of the room.';
COMMENT ON COLUMN form_preset.room IS 'Set when it is saved.';
COMMENT ON COLUMN form_preset.category IS 'Set when it is saved: the category of the extension.';
COMMENT ON COLUMN form_preset.extension IS 'Set when it is saved: the name of the extension.';
COMMENT ON COLUMN form_preset.name IS 'Set when it is saved: how people call it.';
COMMENT ON COLUMN form_preset.account_id IS 'Set when it is saved: the account that did. Only this account and owners of the room change it.';
COMMENT ON COLUMN form_preset.data IS 'Set with each save: the values, which need not fit a later schema.';
COMMENT ON COLUMN form_preset.updated_at IS 'Set with each save.';

CREATE TABLE chat_message (
    id         uuid        PRIMARY KEY,
    room       text        NOT NULL REFERENCES room (name) ON DELETE CASCADE,
    author     uuid        REFERENCES account (id) ON DELETE SET NULL,
    job_id     uuid,
    text       text        NOT NULL CHECK (length(text) BETWEEN 1 AND 20000),
    created_at timestamptz NOT NULL DEFAULT now(),
    edited_at  timestamptz
);
CREATE INDEX chat_message_room ON chat_message (room, id);
CREATE INDEX chat_message_author ON chat_message (author);
CREATE INDEX chat_message_notice ON chat_message (id) WHERE job_id IS NOT NULL;
COMMENT ON TABLE chat_message IS 'A chat message of a room: written by a person, or by the server about a failed job.';
COMMENT ON COLUMN chat_message.id IS 'Set when written; newer ones are larger.';
COMMENT ON COLUMN chat_message.room IS 'Set when written.';
COMMENT ON COLUMN chat_message.author IS 'The account that wrote it; for a failed job, the account that submitted the job.';
COMMENT ON COLUMN chat_message.job_id IS 'The failed job it is about; null for messages of people.';
COMMENT ON COLUMN chat_message.text IS 'Markdown; set when written or edited.';
COMMENT ON COLUMN chat_message.created_at IS 'Set when written.';
COMMENT ON COLUMN chat_message.edited_at IS 'Set when edited.';

-- Room data -----------------------------------------------------------------------------------------------------

CREATE TABLE room_data (
    room          integer PRIMARY KEY REFERENCES room (number) ON DELETE CASCADE,
    length        integer NOT NULL DEFAULT 0 CHECK (length >= 0),
    step          integer NOT NULL DEFAULT 0 CHECK (step >= 0),
    step_revision bigint  NOT NULL DEFAULT 0,
    revision      bigint  NOT NULL DEFAULT 0,
    bytes         bigint  NOT NULL DEFAULT 0
) WITH (fillfactor = 50);
COMMENT ON TABLE room_data IS 'The state of a room''s data. Every write in the room and every lock request locks this row, which serialises them.';
COMMENT ON COLUMN room_data.room IS 'Set with the room.';
COMMENT ON COLUMN room_data.length IS 'How many frames the trajectory has; changed with it.';
COMMENT ON COLUMN room_data.step IS 'The frame that all viewers of the room show; set by people and jobs, moved by changes of the trajectory.';
COMMENT ON COLUMN room_data.step_revision IS 'Raised by one whenever the step is set; viewers order the steps by it.';
COMMENT ON COLUMN room_data.revision IS 'Raised by one with every change.';
COMMENT ON COLUMN room_data.bytes IS 'Raised by each write with the bytes of its frames and items; counted anew when changes expire.';

CREATE TABLE frame_layout (
    id     integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    digest bytea   NOT NULL UNIQUE CHECK (length(digest) = 32),
    keys   jsonb   NOT NULL
);
COMMENT ON TABLE frame_layout IS 'The keys of a frame with their types and shapes. Frames of one trajectory mostly share a layout, so it is stored once.';
COMMENT ON COLUMN frame_layout.id IS 'Set with the first frame of this layout.';
COMMENT ON COLUMN frame_layout.digest IS 'SHA-256 of keys.';
COMMENT ON COLUMN frame_layout.keys IS 'For each key of the frame its dtype and shape, or its JSON type; set with the first frame.';

CREATE TABLE frame (
    id        bigint  PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY,
    layout_id integer NOT NULL REFERENCES frame_layout (id),
    change_id uuid    NOT NULL,
    body      bytea   NOT NULL
);
-- Uncompressed: numbers do not compress, and this way a part of a body can be read without the rest.
ALTER TABLE frame ALTER COLUMN body SET STORAGE EXTERNAL;
COMMENT ON TABLE frame IS 'A structure; written once and never changed. Duplicated rooms share frames.';
COMMENT ON COLUMN frame.id IS 'Set when written.';
COMMENT ON COLUMN frame.layout_id IS 'Set when written: what is in it.';
COMMENT ON COLUMN frame.change_id IS 'Set when written: the change that added it.';
COMMENT ON COLUMN frame.body IS 'Set when written: the encoded frame.';

CREATE TABLE room_frame (
    room     integer NOT NULL REFERENCES room_data (room) ON DELETE CASCADE,
    position integer NOT NULL CHECK (position >= 0),
    frame_id bigint  NOT NULL,
    PRIMARY KEY (room, position)
);
CREATE INDEX room_frame_frame ON room_frame (frame_id);
COMMENT ON TABLE room_frame IS 'The trajectory of a room: which frame is at which position, from 0, without gaps.';
COMMENT ON COLUMN room_frame.room IS 'Set when written.';
COMMENT ON COLUMN room_frame.position IS 'Changed by every write that moves the frame.';
COMMENT ON COLUMN room_frame.frame_id IS 'Set when written.';

-- Deleting frame bodies takes long, so frames that may be unused are listed here and deleted in the background.
CREATE TABLE orphaned_frame (
    frame_id bigint PRIMARY KEY
);
COMMENT ON TABLE orphaned_frame IS 'A frame that a deleted room or an expired change referred to. Upkeep deletes the frame if nothing else refers to it.';
COMMENT ON COLUMN orphaned_frame.frame_id IS 'Set when the room is deleted or the change expires.';

CREATE TABLE scene_item (
    room       integer     NOT NULL REFERENCES room_data (room) ON DELETE CASCADE,
    kind       text        NOT NULL CHECK (kind IN ('selection', 'selection_group', 'frame_selection', 'bookmark',
                                                    'geometry', 'figure', 'metadata')),
    key        text        NOT NULL CHECK (length(key) BETWEEN 1 AND 200),
    value      jsonb       NOT NULL,
    revision   bigint      NOT NULL,
    updated_by uuid        REFERENCES account (id) ON DELETE SET NULL,
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (room, kind, key)
);
CREATE INDEX scene_item_author ON scene_item (updated_by);
COMMENT ON TABLE scene_item IS 'An item that a room shows beside its trajectory.';
COMMENT ON COLUMN scene_item.room IS 'Set when first written.';
COMMENT ON COLUMN scene_item.kind IS 'Set when first written.';
COMMENT ON COLUMN scene_item.key IS 'Its name; set when first written.';
COMMENT ON COLUMN scene_item.value IS 'Set with each write.';
COMMENT ON COLUMN scene_item.revision IS 'The room''s revision when it was last written.';
COMMENT ON COLUMN scene_item.updated_by IS 'The account that wrote it last.';
COMMENT ON COLUMN scene_item.updated_at IS 'Set with each write.';

CREATE TABLE change (
    id         uuid        PRIMARY KEY,
    room       integer     NOT NULL REFERENCES room_data (room) ON DELETE CASCADE,
    revision   bigint      NOT NULL,
    action     text        NOT NULL,
    label      text        NOT NULL,
    author     uuid        REFERENCES account (id) ON DELETE SET NULL,
    job_id     uuid,
    machine    text,
    undo_of    uuid,
    undone_by  uuid,
    expired    boolean     NOT NULL DEFAULT false,
    at         timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT change_is_one_revision UNIQUE (room, revision)
);
CREATE INDEX change_to_expire ON change (room, revision) WHERE NOT expired;
CREATE INDEX change_of_job ON change (job_id) WHERE job_id IS NOT NULL;
CREATE INDEX change_author ON change (author);
COMMENT ON TABLE change IS 'One write in a room, with its author, time and job.';
COMMENT ON COLUMN change.id IS 'Set when made; newer ones are larger.';
COMMENT ON COLUMN change.room IS 'Set when made.';
COMMENT ON COLUMN change.revision IS 'The room''s revision since this change.';
COMMENT ON COLUMN change.action IS 'What was done, e.g. frames.extend.';
COMMENT ON COLUMN change.label IS 'The same as text for people, e.g. "added 20 frames".';
COMMENT ON COLUMN change.author IS 'The account that wrote; for a job, the account that submitted the job.';
COMMENT ON COLUMN change.job_id IS 'The job that wrote, if one did; change_origin describes it.';
COMMENT ON COLUMN change.machine IS 'The machine that job ran on.';
COMMENT ON COLUMN change.undo_of IS 'The change that this one undid.';
COMMENT ON COLUMN change.undone_by IS 'Set when another change undoes this one.';
COMMENT ON COLUMN change.expired IS 'Set when it expires: its splices and values are deleted, so it cannot be undone.';
COMMENT ON COLUMN change.at IS 'Set when made.';

-- A job may write thousands of changes, one for each frame it appends. Its arguments are stored once.
CREATE TABLE change_origin (
    room       integer NOT NULL REFERENCES room_data (room) ON DELETE CASCADE,
    job_id     uuid    NOT NULL,
    extension  text    NOT NULL,
    parameters jsonb,
    PRIMARY KEY (room, job_id)
);
COMMENT ON TABLE change_origin IS 'A job that wrote changes in a room. It outlives the row of the job, so that the origin of a frame stays known.';
COMMENT ON COLUMN change_origin.room IS 'Set with the first change of the job in the room.';
COMMENT ON COLUMN change_origin.job_id IS 'Set with the first change of the job in the room.';
COMMENT ON COLUMN change_origin.extension IS 'The extension of the job: category/name.';
COMMENT ON COLUMN change_origin.parameters IS 'The arguments of the job.';

CREATE TABLE change_splice (
    -- Deferred: splices may be inserted before their change.
    change_id uuid     NOT NULL REFERENCES change (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
    ordinal   integer  NOT NULL,
    start     integer  NOT NULL CHECK (start >= 0),
    removed   bigint[] NOT NULL,
    added     bigint[] NOT NULL,
    undoes    uuid,
    PRIMARY KEY (change_id, ordinal)
);
-- Finds the change that removed a frame from a trajectory.
CREATE INDEX change_splice_removed ON change_splice USING gin (removed) WHERE removed <> '{}';
COMMENT ON TABLE change_splice IS 'A change of the trajectory: at start, frames are removed and frames are added. The splices of a change apply in order.';
COMMENT ON COLUMN change_splice.change_id IS 'Set when made.';
COMMENT ON COLUMN change_splice.ordinal IS 'Set when made: from 0.';
COMMENT ON COLUMN change_splice.start IS 'Set when made: the position, as it was just before this splice.';
COMMENT ON COLUMN change_splice.removed IS 'Set when made: the frames that were removed; kept for an undo.';
COMMENT ON COLUMN change_splice.added IS 'Set when made: the frames that were added.';
COMMENT ON COLUMN change_splice.undoes IS 'The change that this splice reverts a part of, if it is an undo.';

CREATE TABLE change_value (
    -- Deferred: values may be inserted before their change.
    change_id uuid NOT NULL REFERENCES change (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
    kind      text NOT NULL,
    key       text NOT NULL,
    before    jsonb,
    after     jsonb,
    PRIMARY KEY (change_id, kind, key)
);
COMMENT ON TABLE change_value IS 'A change of an item of the room.';
COMMENT ON COLUMN change_value.change_id IS 'Set when made.';
COMMENT ON COLUMN change_value.kind IS 'Set when made, as in scene_item.';
COMMENT ON COLUMN change_value.key IS 'Set when made, as in scene_item.';
COMMENT ON COLUMN change_value.before IS 'Set when made; null: there was no such item.';
COMMENT ON COLUMN change_value.after IS 'Set when made; null: the item was removed.';

-- Locks ---------------------------------------------------------------------------------------------------------

CREATE SEQUENCE room_lock_fence;
CREATE TABLE room_lock (
    room        text             NOT NULL REFERENCES room (name) ON DELETE CASCADE,
    target      text             NOT NULL CHECK (length(target) BETWEEN 1 AND 100),
    holder      uuid             NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    client      text             NOT NULL,
    token_hash  text             NOT NULL,
    fence       bigint           NOT NULL DEFAULT nextval('room_lock_fence') UNIQUE,
    message     text             NOT NULL DEFAULT '',
    acquired_at timestamptz      NOT NULL DEFAULT now(),
    expires_at  timestamptz      NOT NULL,
    grant_id    uuid             NOT NULL,
    ttl_seconds double precision NOT NULL CHECK (ttl_seconds > 0 AND ttl_seconds <= 300),
    job_id      uuid,
    attempt     integer,
    left_at     timestamptz,
    PRIMARY KEY (room, target),
    CONSTRAINT room_lock_of_a_job_names_its_attempt CHECK ((job_id IS NULL) = (attempt IS NULL))
);
ALTER SEQUENCE room_lock_fence OWNED BY room_lock.fence;
CREATE INDEX room_lock_client ON room_lock (holder, client);
COMMENT ON TABLE room_lock IS 'The exclusive right to write a target of a room.';
COMMENT ON COLUMN room_lock.room IS 'Set when granted.';
COMMENT ON COLUMN room_lock.target IS 'Set when granted, e.g. trajectory.';
COMMENT ON COLUMN room_lock.holder IS 'Set when granted: the account that holds it.';
COMMENT ON COLUMN room_lock.client IS 'Set when granted: the client of that account that holds it. The lock is re-entrant for this client only.';
COMMENT ON COLUMN room_lock.token_hash IS 'Set when granted: SHA-256 of the token that only the holder has.';
COMMENT ON COLUMN room_lock.fence IS 'Set when granted: strictly larger with every grant.';
COMMENT ON COLUMN room_lock.message IS 'Set and updated by the holder.';
COMMENT ON COLUMN room_lock.acquired_at IS 'Set when granted.';
COMMENT ON COLUMN room_lock.expires_at IS 'Moved forward by each refresh; after it another client can take the lock.';
COMMENT ON COLUMN room_lock.grant_id IS 'Set when granted: the token is derived from it and the server''s secret.';
COMMENT ON COLUMN room_lock.ttl_seconds IS 'Set by the holder: how long the lock lasts after each refresh.';
COMMENT ON COLUMN room_lock.job_id IS 'The job that holds the lock, if one does; the lock ends with the attempt.';
COMMENT ON COLUMN room_lock.attempt IS 'The attempt of that job.';
COMMENT ON COLUMN room_lock.left_at IS 'Set when the client''s last socket closes; cleared when it reconnects or refreshes.';

-- A lock is valid until it expires; the lock of a job also ends with the attempt.
CREATE VIEW live_lock AS
SELECT * FROM room_lock
WHERE expires_at > clock_timestamp()
  AND (job_id IS NULL OR EXISTS (SELECT FROM job WHERE job.id = room_lock.job_id AND job.attempt = room_lock.attempt
                                                   AND job.state IN ('assigned', 'running')));
COMMENT ON VIEW live_lock IS 'The valid locks.';
COMMENT ON COLUMN live_lock.room IS 'As in room_lock.';
COMMENT ON COLUMN live_lock.target IS 'As in room_lock.';
COMMENT ON COLUMN live_lock.holder IS 'As in room_lock.';
COMMENT ON COLUMN live_lock.client IS 'As in room_lock.';
COMMENT ON COLUMN live_lock.token_hash IS 'As in room_lock.';
COMMENT ON COLUMN live_lock.fence IS 'As in room_lock.';
COMMENT ON COLUMN live_lock.message IS 'As in room_lock.';
COMMENT ON COLUMN live_lock.acquired_at IS 'As in room_lock.';
COMMENT ON COLUMN live_lock.expires_at IS 'As in room_lock.';
COMMENT ON COLUMN live_lock.grant_id IS 'As in room_lock.';
COMMENT ON COLUMN live_lock.ttl_seconds IS 'As in room_lock.';
COMMENT ON COLUMN live_lock.job_id IS 'As in room_lock.';
COMMENT ON COLUMN live_lock.attempt IS 'As in room_lock.';
COMMENT ON COLUMN live_lock.left_at IS 'As in room_lock.';

-- Audit ---------------------------------------------------------------------------------------------------------

CREATE TABLE audit_log (
    id      bigint      PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    at      timestamptz NOT NULL DEFAULT now(),
    actor   uuid,
    action  text        NOT NULL,
    subject text        NOT NULL,
    detail  jsonb       NOT NULL DEFAULT '{}'
);
CREATE INDEX audit_log_age ON audit_log (at);
COMMENT ON TABLE audit_log IS 'Actions of accounts that an admin may have to trace.';
COMMENT ON COLUMN audit_log.id IS 'Counts up.';
COMMENT ON COLUMN audit_log.at IS 'Set when it is done.';
COMMENT ON COLUMN audit_log.actor IS 'The account that did it; null: the server itself.';
COMMENT ON COLUMN audit_log.action IS 'What was done, e.g. account.promote.';
COMMENT ON COLUMN audit_log.subject IS 'The account or room it was done to.';
COMMENT ON COLUMN audit_log.detail IS 'Details of the action; never a secret.';

-- Profiles ------------------------------------------------------------------------------------------------------

CREATE TABLE profiled_function (
    id   integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    file text    NOT NULL,
    line integer NOT NULL CHECK (line >= 0),
    name text    NOT NULL,
    CONSTRAINT profiled_function_is_one UNIQUE (file, line, name)
);
COMMENT ON TABLE profiled_function IS 'A Python function that a profile recorded. Rows are never deleted; their number is bounded by the size of the code.';
COMMENT ON COLUMN profiled_function.id IS 'Counts up.';
COMMENT ON COLUMN profiled_function.file IS 'Set when first seen: where it is defined, from the folder that it is imported from; ~ for functions written in C.';
COMMENT ON COLUMN profiled_function.line IS 'Set when first seen: the line it begins at; 0 for functions written in C.';
COMMENT ON COLUMN profiled_function.name IS 'Set when first seen: its name with those of its classes.';

CREATE TABLE job_profile (
    id           bigint           PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    extension_id integer          NOT NULL REFERENCES extension (id) ON DELETE CASCADE,
    posting_id   uuid,
    job_id       uuid,
    attempt      integer,
    submitter    uuid,
    worker_id    uuid             NOT NULL,
    machine      text             NOT NULL DEFAULT '',
    code_version text             NOT NULL DEFAULT '',
    executions   integer          NOT NULL CHECK (executions > 0),
    calls        bigint           NOT NULL CHECK (calls >= 0),
    total_ms     double precision NOT NULL CHECK (total_ms >= 0),
    stacks       jsonb,
    recorded_at  timestamptz      NOT NULL DEFAULT now(),
    CONSTRAINT job_profile_names_its_job CHECK ((job_id IS NULL) = (attempt IS NULL) AND (job_id IS NULL OR executions = 1))
);
CREATE INDEX job_profile_of_function ON job_profile (extension_id, recorded_at);
CREATE INDEX job_profile_of_posting ON job_profile (posting_id) WHERE posting_id IS NOT NULL;
CREATE INDEX job_profile_age ON job_profile (recorded_at);
COMMENT ON TABLE job_profile IS 'The profile of one execution of a job, or of several short executions of one posting, merged.';
COMMENT ON COLUMN job_profile.id IS 'Counts up.';
COMMENT ON COLUMN job_profile.extension_id IS 'The function that was posted.';
COMMENT ON COLUMN job_profile.posting_id IS 'The posting of the jobs, if any; kept when the posting is pruned.';
COMMENT ON COLUMN job_profile.job_id IS 'The job; null where several executions are merged.';
COMMENT ON COLUMN job_profile.attempt IS 'The attempt; null where several executions are merged.';
COMMENT ON COLUMN job_profile.submitter IS 'The account that posted the jobs; it may see the profile.';
COMMENT ON COLUMN job_profile.worker_id IS 'The worker they ran at.';
COMMENT ON COLUMN job_profile.machine IS 'The host of that worker.';
COMMENT ON COLUMN job_profile.code_version IS 'The version of the function''s code: its version=, WORKROOM_CODE_VERSION, or a hash of its file.';
COMMENT ON COLUMN job_profile.executions IS 'How many executions it is the sum of.';
COMMENT ON COLUMN job_profile.calls IS 'How many calls were made in them, of whatever function; 0 where stacks were sampled.';
COMMENT ON COLUMN job_profile.total_ms IS 'How long the calls took, as the profiler saw it: the own times of all functions together.';
COMMENT ON COLUMN job_profile.stacks IS 'With stacks=True: {functions: [[file, line, name]], stacks: [[function, …]], ms: […]}.';
COMMENT ON COLUMN job_profile.recorded_at IS 'Set when it is written.';

CREATE TABLE function_stat (
    profile_id      bigint           NOT NULL REFERENCES job_profile (id) ON DELETE CASCADE,
    function_id     integer          NOT NULL REFERENCES profiled_function (id),
    calls           bigint           NOT NULL,
    primitive_calls bigint           NOT NULL,
    own_ms          double precision NOT NULL,
    total_ms        double precision NOT NULL,
    PRIMARY KEY (profile_id, function_id)
);
COMMENT ON TABLE function_stat IS 'The cost of one function in one profile.';
COMMENT ON COLUMN function_stat.profile_id IS 'Set when written.';
COMMENT ON COLUMN function_stat.function_id IS 'Set when written.';
COMMENT ON COLUMN function_stat.calls IS 'How often it was called; 0 where stacks were sampled.';
COMMENT ON COLUMN function_stat.primitive_calls IS 'The same without calls from within itself.';
COMMENT ON COLUMN function_stat.own_ms IS 'Time in it, without the functions it called.';
COMMENT ON COLUMN function_stat.total_ms IS 'Time in it, with the functions it called.';

CREATE TABLE function_call (
    profile_id      bigint           NOT NULL REFERENCES job_profile (id) ON DELETE CASCADE,
    caller_id       integer          NOT NULL REFERENCES profiled_function (id),
    callee_id       integer          NOT NULL REFERENCES profiled_function (id),
    calls           bigint           NOT NULL,
    primitive_calls bigint           NOT NULL,
    own_ms          double precision NOT NULL,
    total_ms        double precision NOT NULL,
    PRIMARY KEY (profile_id, caller_id, callee_id)
);
COMMENT ON TABLE function_call IS 'The cost of the calls of one function by another in one profile.';
COMMENT ON COLUMN function_call.profile_id IS 'Set when written.';
COMMENT ON COLUMN function_call.caller_id IS 'Set when written.';
COMMENT ON COLUMN function_call.callee_id IS 'Set when written.';
COMMENT ON COLUMN function_call.calls IS 'How often the caller called the callee; 0 where stacks were sampled.';
COMMENT ON COLUMN function_call.primitive_calls IS 'The same without calls from within itself.';
COMMENT ON COLUMN function_call.own_ms IS 'Time in the callee when called from there, without the functions it called.';
COMMENT ON COLUMN function_call.total_ms IS 'Time in the callee when called from there, with the functions it called.';

CREATE VIEW profile_hotspots AS
SELECT extension.name AS job, p.code_version, profiled_function.file, profiled_function.line, profiled_function.name AS function,
       ran.profiles, ran.executions, sum(s.calls)::bigint AS calls, sum(s.primitive_calls)::bigint AS primitive_calls,
       sum(s.own_ms) AS own_ms, sum(s.total_ms) AS total_ms,
       sum(s.calls)::double precision / ran.executions AS calls_per_execution, sum(s.own_ms) / ran.executions AS own_ms_per_execution,
       sum(s.own_ms) / nullif(ran.total_ms, 0) AS own_share
FROM function_stat AS s
JOIN job_profile AS p ON p.id = s.profile_id
JOIN profiled_function ON profiled_function.id = s.function_id
JOIN extension ON extension.id = p.extension_id
JOIN (
    SELECT extension_id, code_version, count(*) AS profiles, sum(executions)::bigint AS executions, sum(total_ms) AS total_ms
    FROM job_profile GROUP BY extension_id, code_version
) AS ran ON ran.extension_id = p.extension_id AND ran.code_version = p.code_version
GROUP BY extension.name, p.code_version, profiled_function.id, profiled_function.file, profiled_function.line, profiled_function.name,
         ran.profiles, ran.executions, ran.total_ms;
COMMENT ON VIEW profile_hotspots IS 'Where the time of a job goes: each function that was seen in its profiles, for each version of its code.';
COMMENT ON COLUMN profile_hotspots.job IS 'The function that was posted.';
COMMENT ON COLUMN profile_hotspots.code_version IS 'The version of its code.';
COMMENT ON COLUMN profile_hotspots.file IS 'Where the function is defined.';
COMMENT ON COLUMN profile_hotspots.line IS 'The line of that file.';
COMMENT ON COLUMN profile_hotspots.function IS 'The function the time went to.';
COMMENT ON COLUMN profile_hotspots.profiles IS 'How many profiles of this job and version there are.';
COMMENT ON COLUMN profile_hotspots.executions IS 'How many executions they are the sum of.';
COMMENT ON COLUMN profile_hotspots.calls IS 'How often the function was called in them.';
COMMENT ON COLUMN profile_hotspots.primitive_calls IS 'The same without calls from within itself.';
COMMENT ON COLUMN profile_hotspots.own_ms IS 'Time in it, without the functions it called.';
COMMENT ON COLUMN profile_hotspots.total_ms IS 'Time in it, with the functions it called.';
COMMENT ON COLUMN profile_hotspots.calls_per_execution IS 'Calls for each execution of the job.';
COMMENT ON COLUMN profile_hotspots.own_ms_per_execution IS 'Own time for each execution of the job.';
COMMENT ON COLUMN profile_hotspots.own_share IS 'Its own time as a share of the whole.';

CREATE VIEW profile_callers AS
SELECT extension.name AS job, p.code_version, caller.file AS caller_file, caller.line AS caller_line, caller.name AS caller,
       callee.file AS callee_file, callee.line AS callee_line, callee.name AS callee,
       sum(c.calls)::bigint AS calls, sum(c.own_ms) AS own_ms, sum(c.total_ms) AS total_ms
FROM function_call AS c
JOIN job_profile AS p ON p.id = c.profile_id
JOIN profiled_function AS caller ON caller.id = c.caller_id
JOIN profiled_function AS callee ON callee.id = c.callee_id
JOIN extension ON extension.id = p.extension_id
GROUP BY extension.name, p.code_version, caller.id, caller.file, caller.line, caller.name,
         callee.id, callee.file, callee.line, callee.name;
COMMENT ON VIEW profile_callers IS 'The pairs of caller and callee in the profiles of a job, with the number of calls and their cost.';
COMMENT ON COLUMN profile_callers.job IS 'The function that was posted.';
COMMENT ON COLUMN profile_callers.code_version IS 'The version of its code.';
COMMENT ON COLUMN profile_callers.caller_file IS 'Where the caller is defined.';
COMMENT ON COLUMN profile_callers.caller_line IS 'The line of that file.';
COMMENT ON COLUMN profile_callers.caller IS 'The function that calls.';
COMMENT ON COLUMN profile_callers.callee_file IS 'Where the called function is defined.';
COMMENT ON COLUMN profile_callers.callee_line IS 'The line of that file.';
COMMENT ON COLUMN profile_callers.callee IS 'The function that is called.';
COMMENT ON COLUMN profile_callers.calls IS 'How often.';
COMMENT ON COLUMN profile_callers.own_ms IS 'Time in the callee when called from there, without the functions it called.';
COMMENT ON COLUMN profile_callers.total_ms IS 'Time in the callee when called from there, with the functions it called.';
