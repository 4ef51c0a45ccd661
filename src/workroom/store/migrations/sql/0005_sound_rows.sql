-- What every row must be, in one function for each of the tables that jobs pass through. PostgreSQL keeps a constraint as
-- text and reads it anew for every statement that writes: thirty of them took longer to read than a job took to write. Of a
-- call it reads only the names; the function itself is kept ready by the connection.
--
-- As in a constraint, a rule about a value that is not there (null) holds.

CREATE FUNCTION worker_is_sound(kind text, capacity integer, attached boolean, gone_at timestamptz, gone_reason text)
RETURNS boolean LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
    RETURN kind IN ('remote', 'pool', 'celery')
       AND capacity > 0
       AND gone_reason IN ('lost', 'shutdown', 'removed')
       -- Who has gone says why, and is not connected.
       AND (gone_at IS NULL) = (gone_reason IS NULL)
       AND (gone_at IS NULL OR NOT attached);
END
$$;
ALTER TABLE worker
    DROP CONSTRAINT worker_kind_check,
    DROP CONSTRAINT worker_capacity_check,
    DROP CONSTRAINT worker_gone_reason_check,
    DROP CONSTRAINT worker_gone_has_a_reason,
    DROP CONSTRAINT worker_gone_is_detached,
    ADD CONSTRAINT worker_is_sound CHECK (worker_is_sound(kind, capacity, attached, gone_at, gone_reason));

CREATE FUNCTION posting_is_sound(
    status text, priority smallint, tries smallint, timeout_seconds real, backoff_base real, backoff_cap real,
    total integer, completed integer, failed integer, cancelled integer, finished_at timestamptz, unique_key text)
RETURNS boolean LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
    RETURN priority BETWEEN 0 AND 10
       AND tries BETWEEN 1 AND 100
       AND timeout_seconds > 0 AND backoff_base >= 0 AND backoff_cap >= 0
       AND length(unique_key) BETWEEN 1 AND 200
       AND completed >= 0 AND failed >= 0 AND cancelled >= 0 AND completed + failed + cancelled <= total
       -- It ends with the last of its jobs.
       AND CASE WHEN status IN ('completed', 'failed', 'cancelled')
                THEN finished_at IS NOT NULL AND completed + failed + cancelled = total
                ELSE finished_at IS NULL AND status IN ('executing', 'paused') END;
END
$$;
ALTER TABLE posting
    DROP CONSTRAINT posting_status_check,
    DROP CONSTRAINT posting_priority_check,
    DROP CONSTRAINT posting_tries_check,
    DROP CONSTRAINT posting_timeout_seconds_check,
    DROP CONSTRAINT posting_backoff_base_check,
    DROP CONSTRAINT posting_backoff_cap_check,
    DROP CONSTRAINT posting_unique_key_check,
    DROP CONSTRAINT posting_counts_add_up,
    DROP CONSTRAINT posting_ends_with_its_jobs,
    ADD CONSTRAINT posting_is_sound CHECK (posting_is_sound(
        status, priority, tries, timeout_seconds, backoff_base, backoff_cap, total, completed, failed, cancelled, finished_at,
        unique_key));

CREATE FUNCTION job_is_sound(
    state job_state, priority smallint, tries smallint, failures smallint, losses smallint, attempt integer, unmet integer,
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
       AND (unmet > 0) = (state = 'blocked')
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
ALTER TABLE job
    DROP CONSTRAINT job_priority_check,
    DROP CONSTRAINT job_tries_check,
    DROP CONSTRAINT job_check,
    DROP CONSTRAINT job_losses_check,
    DROP CONSTRAINT job_attempt_check,
    DROP CONSTRAINT job_idempotency_key_check,
    DROP CONSTRAINT job_unique_key_check,
    DROP CONSTRAINT job_blocked_waits_for_something,
    DROP CONSTRAINT job_final_has_an_end,
    DROP CONSTRAINT job_failed_says_why,
    DROP CONSTRAINT job_result_is_of_completed,
    DROP CONSTRAINT job_start_time_is_for_waiting,
    DROP CONSTRAINT job_waiting_has_no_worker,
    DROP CONSTRAINT job_active_has_a_worker,
    DROP CONSTRAINT job_running_has_started,
    ADD CONSTRAINT job_is_sound CHECK (job_is_sound(
        state, priority, tries, failures, losses, attempt, unmet, worker_id, run_at, assigned_at, started_at, finished_at, result,
        error, idempotency_key, unique_key));

-- Which moves there are: the condition of the trigger was as long as all those rules, and as often read.
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
DROP TRIGGER job_moves_as_allowed ON job;
CREATE TRIGGER job_moves_as_allowed AFTER UPDATE ON job FOR EACH ROW
    WHEN (NOT job_may_move(OLD.state, OLD.attempt, NEW.state, NEW.attempt)) EXECUTE FUNCTION refuse_move();
