-- Accounts, rooms, extensions, workers, jobs, postings, locks, audit.
-- Times are the database's. Every column says who sets it, and when.

CREATE TYPE job_state AS ENUM ('blocked', 'pending', 'assigned', 'running', 'completed', 'failed', 'cancelled');
CREATE TYPE on_worker_lost AS ENUM ('fail', 'requeue', 'requeue_unstarted');

-- Accounts ------------------------------------------------------------------------------------------------------

CREATE TABLE account (
    id            uuid        PRIMARY KEY,
    name          text        NOT NULL CHECK (length(name) BETWEEN 1 AND 64),
    role          text        NOT NULL CHECK (role IN ('guest', 'user', 'admin')),
    password_hash text,
    token_epoch   integer     NOT NULL DEFAULT 0,
    created_at    timestamptz NOT NULL DEFAULT now(),
    disabled_at   timestamptz
);
-- Names that differ only in case would let one person pass for another.
CREATE UNIQUE INDEX account_name_taken ON account (lower(name));
CREATE INDEX account_admin ON account (id) WHERE role = 'admin';
COMMENT ON TABLE account IS 'A person, or a program that acts for one.';
COMMENT ON COLUMN account.id IS 'Set when the account is made.';
COMMENT ON COLUMN account.name IS 'Set when the account is made; shown to others.';
COMMENT ON COLUMN account.role IS 'Set by an admin. Read on every request: a token does not carry it.';
COMMENT ON COLUMN account.password_hash IS 'argon2id, set by the person or an admin; null for a guest.';
COMMENT ON COLUMN account.token_epoch IS 'Raised to revoke every token issued before.';
COMMENT ON COLUMN account.created_at IS 'Set when the account is made.';
COMMENT ON COLUMN account.disabled_at IS 'Set when an admin disables or deletes the account; its jobs keep naming it. Cleared when enabled again.';

CREATE TABLE room (
    name        text        PRIMARY KEY CHECK (length(name) BETWEEN 1 AND 100 AND name NOT LIKE '@%'
                                               AND lower(name) NOT IN ('public', 'global', 'builtin')),
    number      integer     NOT NULL GENERATED ALWAYS AS IDENTITY UNIQUE,
    owner_id    uuid        REFERENCES account (id) ON DELETE SET NULL,
    description text        NOT NULL DEFAULT '',
    visibility  text        NOT NULL DEFAULT 'public' CHECK (visibility IN ('public', 'private')),
    locked      boolean     NOT NULL DEFAULT false,
    created_at  timestamptz NOT NULL DEFAULT now(),
    updated_at  timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE room IS 'An isolated shared workspace.';
COMMENT ON COLUMN room.name IS 'Its id, set when it is made.';
COMMENT ON COLUMN room.number IS 'A short name for tables with many rows, set when it is made.';
COMMENT ON COLUMN room.owner_id IS 'Who made it.';
COMMENT ON COLUMN room.description IS 'Set by those who own it.';
COMMENT ON COLUMN room.visibility IS 'Set by those who own it; a private room does not exist for strangers.';
COMMENT ON COLUMN room.locked IS 'Set by those who own it; nobody else changes a locked room.';
COMMENT ON COLUMN room.created_at IS 'Set when it is made.';
COMMENT ON COLUMN room.updated_at IS 'Set with every change of this row.';

CREATE TABLE room_member (
    room       text        NOT NULL REFERENCES room (name) ON DELETE CASCADE,
    account_id uuid        NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    rights     text        NOT NULL CHECK (rights IN ('read', 'write', 'own')),
    added_at   timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (room, account_id)
);
CREATE INDEX room_member_account ON room_member (account_id);
COMMENT ON TABLE room_member IS 'Who may do what in a room.';
COMMENT ON COLUMN room_member.room IS 'Set when the member is added.';
COMMENT ON COLUMN room_member.account_id IS 'Set when the member is added.';
COMMENT ON COLUMN room_member.rights IS 'read < write < own; set by an owner.';
COMMENT ON COLUMN room_member.added_at IS 'Set when the member is added.';

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
COMMENT ON TABLE share_link IS 'Lets its bearer into a private room.';
COMMENT ON COLUMN share_link.id IS 'Set when the link is made.';
COMMENT ON COLUMN share_link.room IS 'Set when the link is made.';
COMMENT ON COLUMN share_link.token_hash IS 'SHA-256 of the secret in the link; the secret itself is shown once.';
COMMENT ON COLUMN share_link.rights IS 'What the bearer becomes a member with.';
COMMENT ON COLUMN share_link.created_by IS 'Who made it.';
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
    paused           boolean        NOT NULL DEFAULT false,
    created_at       timestamptz    NOT NULL DEFAULT now(),
    updated_at       timestamptz    NOT NULL DEFAULT now(),
    removed_at       timestamptz,
    CONSTRAINT extension_is_one UNIQUE NULLS NOT DISTINCT (scope, room, category, name),
    CONSTRAINT extension_scope_names_its_room CHECK ((scope = 'room') = (room IS NOT NULL))
);
CREATE INDEX extension_room ON extension (room);
COMMENT ON TABLE extension IS 'A named, typed callable and its waiting line. A function that postings call is one too, without a form (scope function). At most one row, so at most one live schema, per identity.';
COMMENT ON COLUMN extension.id IS 'Set when first registered.';
COMMENT ON COLUMN extension.scope IS 'Set when first registered: visible in one room, in all, shipped with the server, or a function.';
COMMENT ON COLUMN extension.room IS 'The room it is visible in; null for the other scopes.';
COMMENT ON COLUMN extension.category IS 'Set when first registered: modifiers, selections, analysis, settings, …';
COMMENT ON COLUMN extension.name IS 'Set when first registered.';
COMMENT ON COLUMN extension.schema IS 'JSON schema of the arguments; replaced only when no worker offers the old one. Kept as text, in the order of its fields: forms show them so.';
COMMENT ON COLUMN extension.schema_hash IS 'SHA-256 of the canonical schema, computed by the server.';
COMMENT ON COLUMN extension.concurrency IS 'Set on registration: how many at once one worker takes; null: as many as it has slots.';
COMMENT ON COLUMN extension.timeout_seconds IS 'Set on registration: how long a job may run; null: as long as it likes.';
COMMENT ON COLUMN extension.tries IS 'Set on registration: how often a job is tried in all.';
COMMENT ON COLUMN extension.backoff_base IS 'Set on registration: seconds before the second try.';
COMMENT ON COLUMN extension.backoff_cap IS 'Set on registration: no pause is longer, in seconds.';
COMMENT ON COLUMN extension.on_worker_lost IS 'Set on registration: what becomes of a job whose worker is lost.';
COMMENT ON COLUMN extension.priority IS 'Set on registration: the priority of a job submitted without one.';
COMMENT ON COLUMN extension.breaker_failures IS 'Set on registration: so many failures in a row on one worker open its breaker; 0: never.';
COMMENT ON COLUMN extension.breaker_seconds IS 'Set on registration: how long a breaker stays open before one probe.';
COMMENT ON COLUMN extension.paused IS 'Set by an admin: no further job of it is assigned.';
COMMENT ON COLUMN extension.created_at IS 'Set when first registered.';
COMMENT ON COLUMN extension.updated_at IS 'Set when a registration changes it.';
COMMENT ON COLUMN extension.removed_at IS 'Set when it has neither workers nor unfinished jobs; cleared when registered again.';

CREATE TABLE worker (
    id            uuid        PRIMARY KEY,
    kind          text        NOT NULL CHECK (kind IN ('remote', 'pool', 'celery')),
    account_id    uuid        REFERENCES account (id) ON DELETE SET NULL,
    room          text        REFERENCES room (name) ON DELETE SET NULL,
    incarnation   integer     NOT NULL DEFAULT 1,
    capacity      integer     NOT NULL CHECK (capacity > 0),
    info          jsonb       NOT NULL DEFAULT '{}',
    registered_at timestamptz NOT NULL DEFAULT now(),
    lease_until   timestamptz NOT NULL,
    attached      boolean     NOT NULL DEFAULT false,
    detached_at   timestamptz,
    served_at     timestamptz,
    draining      boolean     NOT NULL DEFAULT false,
    gone_at       timestamptz,
    gone_reason   text        CHECK (gone_reason IN ('lost', 'shutdown', 'removed')),
    CONSTRAINT worker_gone_has_a_reason CHECK ((gone_at IS NULL) = (gone_reason IS NULL)),
    CONSTRAINT worker_gone_is_detached CHECK (gone_at IS NULL OR NOT attached)
) WITH (fillfactor = 50);
CREATE INDEX worker_here ON worker (kind) WHERE gone_at IS NULL;
COMMENT ON TABLE worker IS 'A process that runs jobs.';
COMMENT ON COLUMN worker.id IS 'Issued by the server on registration; kept over reconnects.';
COMMENT ON COLUMN worker.kind IS 'Set on registration.';
COMMENT ON COLUMN worker.account_id IS 'Who registered it; null for the server''s own pool.';
COMMENT ON COLUMN worker.room IS 'The room it was registered from, if any.';
COMMENT ON COLUMN worker.incarnation IS 'Raised each time it registers again; older incarnations are refused.';
COMMENT ON COLUMN worker.capacity IS 'Set on registration: how many jobs it holds at once.';
COMMENT ON COLUMN worker.info IS 'Set on registration: machine, process, versions.';
COMMENT ON COLUMN worker.registered_at IS 'Set on registration.';
COMMENT ON COLUMN worker.lease_until IS 'Put off by each heartbeat; a worker past it is lost.';
COMMENT ON COLUMN worker.attached IS 'Whether jobs can reach it now: its socket is connected, or it fetches jobs itself.';
COMMENT ON COLUMN worker.detached_at IS 'Set when its socket closes, cleared when it is back: the reconnect grace counts from here.';
COMMENT ON COLUMN worker.served_at IS 'Set when it gets a job: the worker served longest ago is next.';
COMMENT ON COLUMN worker.draining IS 'Set when it shuts down: it finishes what it has and gets nothing more.';
COMMENT ON COLUMN worker.gone_at IS 'Set when it is lost, has shut down or is removed; then it holds no job for long.';
COMMENT ON COLUMN worker.gone_reason IS 'Set with gone_at.';

CREATE TABLE offer (
    worker_id    uuid    NOT NULL REFERENCES worker (id) ON DELETE CASCADE,
    extension_id integer NOT NULL REFERENCES extension (id) ON DELETE CASCADE,
    served_at    timestamptz,
    failures     integer NOT NULL DEFAULT 0 CHECK (failures >= 0),
    opened_at    timestamptz,
    PRIMARY KEY (worker_id, extension_id)
) WITH (fillfactor = 50);
CREATE INDEX offer_extension ON offer (extension_id);
COMMENT ON TABLE offer IS 'An extension that a worker runs, and the breaker between the two.';
COMMENT ON COLUMN offer.worker_id IS 'Set on registration.';
COMMENT ON COLUMN offer.extension_id IS 'Set on registration.';
COMMENT ON COLUMN offer.served_at IS 'Set when the worker gets a job of it: among equals the extension served longest ago is next.';
COMMENT ON COLUMN offer.failures IS 'Failures in a row; raised by each failure, reset by a success.';
COMMENT ON COLUMN offer.opened_at IS 'Set when the breaker opens; reset by a success.';

-- Jobs ----------------------------------------------------------------------------------------------------------

CREATE TABLE posting (
    id              uuid           PRIMARY KEY,
    extension_id    integer        NOT NULL REFERENCES extension (id),
    submitter       uuid           NOT NULL REFERENCES account (id),
    room            text           REFERENCES room (name) ON DELETE CASCADE,
    label           text           NOT NULL DEFAULT '',
    status          text           NOT NULL DEFAULT 'executing'
                                   CHECK (status IN ('executing', 'paused', 'completed', 'failed', 'cancelled')),
    priority        smallint       NOT NULL CHECK (priority BETWEEN 0 AND 10),
    tries           smallint       NOT NULL CHECK (tries BETWEEN 1 AND 100),
    timeout_seconds real           CHECK (timeout_seconds > 0),
    backoff_base    real           CHECK (backoff_base >= 0),
    backoff_cap     real           CHECK (backoff_cap >= 0),
    on_worker_lost  on_worker_lost NOT NULL DEFAULT 'requeue',
    sealed          boolean        NOT NULL DEFAULT false,
    awaited         boolean        NOT NULL DEFAULT false,
    total           integer        NOT NULL DEFAULT 0,
    completed       integer        NOT NULL DEFAULT 0,
    failed          integer        NOT NULL DEFAULT 0,
    cancelled       integer        NOT NULL DEFAULT 0,
    created_at      timestamptz    NOT NULL DEFAULT now(),
    finished_at     timestamptz,
    CONSTRAINT posting_counts_add_up CHECK (completed >= 0 AND failed >= 0 AND cancelled >= 0
                                            AND completed + failed + cancelled <= total),
    CONSTRAINT posting_ends_with_its_jobs CHECK (
        (status IN ('completed', 'failed', 'cancelled')) = (finished_at IS NOT NULL)
        AND (finished_at IS NULL OR completed + failed + cancelled = total))
) WITH (fillfactor = 50);
CREATE INDEX posting_open ON posting (id) WHERE finished_at IS NULL;
CREATE INDEX posting_of_room ON posting (room) WHERE room IS NOT NULL;
COMMENT ON TABLE posting IS 'A batch of jobs for one function.';
COMMENT ON COLUMN posting.id IS 'Set when posted; its jobs'' ids begin with the same twelve bytes.';
COMMENT ON COLUMN posting.extension_id IS 'The function, set when posted.';
COMMENT ON COLUMN posting.submitter IS 'Set when posted.';
COMMENT ON COLUMN posting.room IS 'The room it belongs to, if any; set when posted.';
COMMENT ON COLUMN posting.label IS 'What people call it; set when posted.';
COMMENT ON COLUMN posting.status IS 'executing or paused by people; the others when its last job ends.';
COMMENT ON COLUMN posting.priority IS 'Set when posted.';
COMMENT ON COLUMN posting.tries IS 'Set when posted: how often each job is tried in all.';
COMMENT ON COLUMN posting.timeout_seconds IS 'Set when posted; null: the function''s.';
COMMENT ON COLUMN posting.backoff_base IS 'Set when posted; null: the function''s.';
COMMENT ON COLUMN posting.backoff_cap IS 'Set when posted; null: the function''s.';
COMMENT ON COLUMN posting.on_worker_lost IS 'Set when posted.';
COMMENT ON COLUMN posting.sealed IS 'Set when its last job has been written: only then can it end.';
COMMENT ON COLUMN posting.awaited IS 'Set when a job is submitted that depends on it.';
COMMENT ON COLUMN posting.total IS 'Raised as its jobs are written.';
COMMENT ON COLUMN posting.completed IS 'Raised in the transaction that completes a job of it.';
COMMENT ON COLUMN posting.failed IS 'Raised in the transaction that fails a job of it.';
COMMENT ON COLUMN posting.cancelled IS 'Raised in the transaction that cancels a job of it.';
COMMENT ON COLUMN posting.created_at IS 'Set when posted.';
COMMENT ON COLUMN posting.finished_at IS 'Set when its last job ends.';

-- No foreign keys lead out of this table: they would cost more than the insert itself. Extensions, accounts and
-- postings with jobs are never deleted, and a room takes its jobs with it.
CREATE TABLE job (
    id                  uuid           NOT NULL,
    extension_id        integer        NOT NULL,
    priority            smallint       NOT NULL CHECK (priority BETWEEN 0 AND 10),
    tries               smallint       NOT NULL CHECK (tries BETWEEN 1 AND 100),
    failures            smallint       NOT NULL DEFAULT 0 CHECK (failures BETWEEN 0 AND tries),
    losses              smallint       NOT NULL DEFAULT 0 CHECK (losses BETWEEN 0 AND 3),
    turn                bigint         NOT NULL,
    state               job_state      NOT NULL,
    on_worker_lost      on_worker_lost NOT NULL,
    attempt             integer        NOT NULL DEFAULT 0 CHECK (attempt >= 0),
    unmet               integer        NOT NULL DEFAULT 0,
    awaited             boolean        NOT NULL DEFAULT false,
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
    idempotency_key     text           CHECK (length(idempotency_key) BETWEEN 1 AND 200),
    arguments           jsonb          NOT NULL,
    result              jsonb,
    error               jsonb,
    CONSTRAINT job_pkey PRIMARY KEY (id),
    CONSTRAINT job_final_has_an_end CHECK ((finished_at IS NOT NULL) = (state IN ('completed', 'failed', 'cancelled'))),
    CONSTRAINT job_waiting_has_no_worker CHECK (worker_id IS NULL OR state NOT IN ('blocked', 'pending')),
    CONSTRAINT job_active_has_a_worker CHECK (
        state NOT IN ('assigned', 'running') OR (worker_id IS NOT NULL AND assigned_at IS NOT NULL AND attempt > 0)),
    CONSTRAINT job_running_has_started CHECK (state <> 'running' OR started_at IS NOT NULL),
    CONSTRAINT job_blocked_waits_for_something CHECK ((unmet > 0) = (state = 'blocked')),
    CONSTRAINT job_start_time_is_for_waiting CHECK (run_at IS NULL OR state IN ('blocked', 'pending')),
    CONSTRAINT job_failed_says_why CHECK ((error IS NOT NULL) = (state = 'failed')),
    CONSTRAINT job_result_is_of_completed CHECK (result IS NULL OR state = 'completed')
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
CREATE INDEX job_of_submitter ON job (submitter, id) WHERE posting_id IS NULL;
CREATE INDEX job_failed ON job (id) WHERE state = 'failed';
CREATE UNIQUE INDEX job_key_used ON job (submitter, extension_id, idempotency_key) WHERE idempotency_key IS NOT NULL;
COMMENT ON TABLE job IS 'One call of an extension or function.';
COMMENT ON COLUMN job.id IS 'Set on submit: a UUIDv7; for a job of a posting the posting''s first twelve bytes and its position.';
COMMENT ON COLUMN job.extension_id IS 'Set on submit.';
COMMENT ON COLUMN job.priority IS 'Set on submit: 10 is most urgent.';
COMMENT ON COLUMN job.tries IS 'Set on submit: how often it is tried in all.';
COMMENT ON COLUMN job.failures IS 'Raised when a try fails.';
COMMENT ON COLUMN job.losses IS 'Raised when a worker is lost that was running it.';
COMMENT ON COLUMN job.turn IS 'Set on submit: its place among jobs of the same priority. A released job keeps it.';
COMMENT ON COLUMN job.state IS 'Set by the verbs.';
COMMENT ON COLUMN job.on_worker_lost IS 'Set on submit.';
COMMENT ON COLUMN job.attempt IS 'Raised by one with each assignment; every write for the job must name it.';
COMMENT ON COLUMN job.unmet IS 'Set on submit: how many jobs and postings it still waits for; lowered as they complete.';
COMMENT ON COLUMN job.awaited IS 'Set when a job is submitted that depends on it.';
COMMENT ON COLUMN job.submitter IS 'Set on submit: who asked for it.';
COMMENT ON COLUMN job.posting_id IS 'Set on submit, for a job of a posting.';
COMMENT ON COLUMN job.worker_id IS 'Set by assign, cleared by release and retry, kept at the end.';
COMMENT ON COLUMN job.retry_of IS 'Set on submit when somebody retries an ended job by hand.';
COMMENT ON COLUMN job.created_at IS 'Set on submit.';
COMMENT ON COLUMN job.run_at IS 'Set on submit or retry: not before; infinity while its posting is paused. Cleared by the scheduler when due.';
COMMENT ON COLUMN job.assigned_at IS 'Set by assign, cleared by release and retry.';
COMMENT ON COLUMN job.started_at IS 'Set by start, cleared by release and retry.';
COMMENT ON COLUMN job.finished_at IS 'Set with the final state.';
COMMENT ON COLUMN job.cancel_requested_at IS 'Set when somebody cancels it; at a worker it then waits for the worker to confirm.';
COMMENT ON COLUMN job.room IS 'Set on submit: the room it acts on, if any.';
COMMENT ON COLUMN job.idempotency_key IS 'Set on submit: the same key again answers the same job.';
COMMENT ON COLUMN job.arguments IS 'Set on submit.';
COMMENT ON COLUMN job.result IS 'Set by succeed.';
COMMENT ON COLUMN job.error IS 'Set with state failed: type, message, traceback, reason.';

-- The last line of defence: whatever statement is run, a final job never changes and only known moves are made.
CREATE FUNCTION refuse_move() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'job % cannot go from % (attempt %) to % (attempt %)',
        OLD.id, OLD.state, OLD.attempt, NEW.state, NEW.attempt
        USING ERRCODE = 'check_violation', CONSTRAINT = 'job_moves_as_allowed';
END
$$;
CREATE TRIGGER job_moves_as_allowed AFTER UPDATE ON job FOR EACH ROW WHEN (
    NOT CASE OLD.state
        WHEN 'blocked' THEN NEW.attempt = OLD.attempt AND NEW.state IN ('blocked', 'pending', 'failed', 'cancelled')
        WHEN 'pending' THEN CASE NEW.state
            WHEN 'assigned' THEN NEW.attempt = OLD.attempt + 1
            WHEN 'pending' THEN NEW.attempt = OLD.attempt
            WHEN 'cancelled' THEN NEW.attempt = OLD.attempt
            ELSE false END
        WHEN 'assigned' THEN NEW.attempt = OLD.attempt AND NEW.state <> 'blocked'
        WHEN 'running' THEN NEW.attempt = OLD.attempt AND NEW.state NOT IN ('blocked', 'assigned')
        ELSE false END
) EXECUTE FUNCTION refuse_move();

CREATE TABLE dependency (
    job_id        uuid NOT NULL REFERENCES job (id) ON DELETE CASCADE,
    needs_job     uuid,
    needs_posting uuid,
    CONSTRAINT dependency_needs_one CHECK (num_nonnulls(needs_job, needs_posting) = 1),
    CONSTRAINT dependency_is_one UNIQUE NULLS NOT DISTINCT (job_id, needs_job, needs_posting)
);
CREATE INDEX dependency_needs_job ON dependency (needs_job) WHERE needs_job IS NOT NULL;
CREATE INDEX dependency_needs_posting ON dependency (needs_posting) WHERE needs_posting IS NOT NULL;
COMMENT ON TABLE dependency IS 'What a blocked job still waits for; a row goes when it is met.';
COMMENT ON COLUMN dependency.job_id IS 'The blocked job, set on submit.';
COMMENT ON COLUMN dependency.needs_job IS 'The job that must complete first.';
COMMENT ON COLUMN dependency.needs_posting IS 'The posting that must complete first.';

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
COMMENT ON TABLE failed_attempt IS 'An attempt that came to nothing and was followed by another; the last one stands in the job.';
COMMENT ON COLUMN failed_attempt.job_id IS 'Set when the attempt ends.';
COMMENT ON COLUMN failed_attempt.attempt IS 'Set when the attempt ends.';
COMMENT ON COLUMN failed_attempt.worker_id IS 'Who had it.';
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
COMMENT ON TABLE job_progress IS 'The last progress report of a job; beside the job so that reports do not rewrite it.';
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

CREATE TABLE fair_turn (
    extension_id integer  NOT NULL REFERENCES extension (id) ON DELETE CASCADE,
    priority     smallint NOT NULL,
    submitter    uuid     NOT NULL,
    last_turn    bigint   NOT NULL,
    PRIMARY KEY (extension_id, priority, submitter)
) WITH (fillfactor = 50);
COMMENT ON TABLE fair_turn IS 'The last turn each person took in an extension''s waiting line.';
COMMENT ON COLUMN fair_turn.extension_id IS 'Set with the first job.';
COMMENT ON COLUMN fair_turn.priority IS 'Set with the first job: each priority has its own turns.';
COMMENT ON COLUMN fair_turn.submitter IS 'Set with the first job.';
COMMENT ON COLUMN fair_turn.last_turn IS 'Raised with each job that joins the line; one that goes straight to a worker takes no turn.';

CREATE TABLE tally (
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
COMMENT ON TABLE tally IS 'How many jobs an extension has in each state: the sum over its shards. Each database session writes its own shard, so sessions never wait for each other here.';
COMMENT ON COLUMN tally.extension_id IS 'Set with the first job.';
COMMENT ON COLUMN tally.shard IS 'The process id of the session that writes it; 0 for those folded together.';
COMMENT ON COLUMN tally.blocked IS 'Changed by every statement that moves a job.';
COMMENT ON COLUMN tally.pending IS 'Changed by every statement that moves a job.';
COMMENT ON COLUMN tally.active IS 'Assigned and running together; changed by every statement that moves a job.';
COMMENT ON COLUMN tally.completed IS 'Ever completed: pruning does not lower it.';
COMMENT ON COLUMN tally.failed IS 'Ever failed.';
COMMENT ON COLUMN tally.cancelled IS 'Ever cancelled.';
COMMENT ON COLUMN tally.run_ms IS 'Recent mean run time of completed jobs, in milliseconds.';

CREATE TABLE setting_value (
    room       text        NOT NULL REFERENCES room (name) ON DELETE CASCADE,
    account_id uuid        NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    name       text        NOT NULL,
    data       jsonb       NOT NULL,
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (room, account_id, name)
);
COMMENT ON TABLE setting_value IS 'What a person last submitted to an extension of category settings in a room; such a submission queues nothing.';
COMMENT ON COLUMN setting_value.room IS 'Set on submit.';
COMMENT ON COLUMN setting_value.account_id IS 'Set on submit.';
COMMENT ON COLUMN setting_value.name IS 'The extension, set on submit.';
COMMENT ON COLUMN setting_value.data IS 'Set on each submit, checked against the extension''s schema.';
COMMENT ON COLUMN setting_value.updated_at IS 'Set on each submit.';

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
COMMENT ON TABLE chat_message IS 'What is said in a room, by people and about failed jobs.';
COMMENT ON COLUMN chat_message.id IS 'Set when said; newer ones are larger.';
COMMENT ON COLUMN chat_message.room IS 'Set when said.';
COMMENT ON COLUMN chat_message.author IS 'Who said it; for a failed job, who submitted the job.';
COMMENT ON COLUMN chat_message.job_id IS 'The failed job it is about; null for what people say.';
COMMENT ON COLUMN chat_message.text IS 'Markdown; set when said or edited.';
COMMENT ON COLUMN chat_message.created_at IS 'Set when said.';
COMMENT ON COLUMN chat_message.edited_at IS 'Set when edited.';

-- Locks and audit -----------------------------------------------------------------------------------------------

CREATE SEQUENCE room_lock_fence;
CREATE TABLE room_lock (
    room        text        NOT NULL REFERENCES room (name) ON DELETE CASCADE,
    target      text        NOT NULL CHECK (length(target) BETWEEN 1 AND 100),
    holder      uuid        NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    client      text        NOT NULL,
    token_hash  text        NOT NULL,
    fence       bigint      NOT NULL DEFAULT nextval('room_lock_fence') UNIQUE,
    message     text        NOT NULL DEFAULT '',
    acquired_at timestamptz NOT NULL DEFAULT now(),
    expires_at  timestamptz NOT NULL,
    PRIMARY KEY (room, target)
);
ALTER SEQUENCE room_lock_fence OWNED BY room_lock.fence;
COMMENT ON TABLE room_lock IS 'The exclusive right to write a target of a room.';
COMMENT ON COLUMN room_lock.room IS 'Set when granted.';
COMMENT ON COLUMN room_lock.target IS 'Set when granted, e.g. trajectory.';
COMMENT ON COLUMN room_lock.holder IS 'Set when granted.';
COMMENT ON COLUMN room_lock.client IS 'Which of the holder''s clients has it: re-entrant for this one alone.';
COMMENT ON COLUMN room_lock.token_hash IS 'SHA-256 of the token only the holder knows.';
COMMENT ON COLUMN room_lock.fence IS 'Strictly larger with every grant.';
COMMENT ON COLUMN room_lock.message IS 'Set and updated by the holder.';
COMMENT ON COLUMN room_lock.acquired_at IS 'Set when granted.';
COMMENT ON COLUMN room_lock.expires_at IS 'Put off by each refresh; after it anybody may take the lock.';

CREATE TABLE audit (
    id      bigint      PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    at      timestamptz NOT NULL DEFAULT now(),
    actor   uuid,
    act     text        NOT NULL,
    subject text        NOT NULL,
    detail  jsonb       NOT NULL DEFAULT '{}'
);
COMMENT ON TABLE audit IS 'What was done by whom, where it matters who did it.';
COMMENT ON COLUMN audit.id IS 'Counts up.';
COMMENT ON COLUMN audit.at IS 'Set when it is done.';
COMMENT ON COLUMN audit.actor IS 'Who did it; null: the server itself.';
COMMENT ON COLUMN audit.act IS 'What was done, e.g. account.promote.';
COMMENT ON COLUMN audit.subject IS 'To whom or what.';
COMMENT ON COLUMN audit.detail IS 'Facts worth keeping; never a secret.';
