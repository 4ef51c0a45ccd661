-- Profiles ------------------------------------------------------------------------------------------------------

CREATE TABLE function (
    id   integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    file text    NOT NULL,
    line integer NOT NULL CHECK (line >= 0),
    name text    NOT NULL,
    CONSTRAINT function_is_one UNIQUE (file, line, name)
);
COMMENT ON TABLE function IS 'A Python function that was seen running in a job. Never deleted: there are as many as there is code.';
COMMENT ON COLUMN function.id IS 'Counts up.';
COMMENT ON COLUMN function.file IS 'Set when first seen: where it is defined, from the folder that it is imported from; ~ for functions written in C.';
COMMENT ON COLUMN function.line IS 'Set when first seen: the line it begins at; 0 for functions written in C.';
COMMENT ON COLUMN function.name IS 'Set when first seen: its name with those of its classes.';

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
COMMENT ON TABLE job_profile IS 'What one execution of a job cost; or several of one posting, merged where they are short and many.';
COMMENT ON COLUMN job_profile.id IS 'Counts up.';
COMMENT ON COLUMN job_profile.extension_id IS 'The function that was posted.';
COMMENT ON COLUMN job_profile.posting_id IS 'The posting of the jobs, if any; kept when the posting is pruned.';
COMMENT ON COLUMN job_profile.job_id IS 'The job; null where several executions are merged.';
COMMENT ON COLUMN job_profile.attempt IS 'The attempt; null where several executions are merged.';
COMMENT ON COLUMN job_profile.submitter IS 'Who posted the jobs: they may see it.';
COMMENT ON COLUMN job_profile.worker_id IS 'The worker they ran at.';
COMMENT ON COLUMN job_profile.machine IS 'The host of that worker.';
COMMENT ON COLUMN job_profile.code_version IS 'What the function''s code was called then: its version=, WORKROOM_CODE_VERSION, or a hash of its file.';
COMMENT ON COLUMN job_profile.executions IS 'How many executions it is the sum of.';
COMMENT ON COLUMN job_profile.calls IS 'How many calls were made in them, of whatever function; 0 where stacks were sampled.';
COMMENT ON COLUMN job_profile.total_ms IS 'How long the calls took, as the profiler saw it: the own times of all functions together.';
COMMENT ON COLUMN job_profile.stacks IS 'With stacks=True: {functions: [[file, line, name]], stacks: [[function, …]], ms: […]}.';
COMMENT ON COLUMN job_profile.recorded_at IS 'Set when it is written.';

CREATE TABLE function_stat (
    profile_id      bigint           NOT NULL REFERENCES job_profile (id) ON DELETE CASCADE,
    function_id     integer          NOT NULL REFERENCES function (id),
    calls           bigint           NOT NULL,
    primitive_calls bigint           NOT NULL,
    own_ms          double precision NOT NULL,
    total_ms        double precision NOT NULL,
    PRIMARY KEY (profile_id, function_id)
);
COMMENT ON TABLE function_stat IS 'What one function cost in one profile.';
COMMENT ON COLUMN function_stat.profile_id IS 'Set when written.';
COMMENT ON COLUMN function_stat.function_id IS 'Set when written.';
COMMENT ON COLUMN function_stat.calls IS 'How often it was called; 0 where stacks were sampled.';
COMMENT ON COLUMN function_stat.primitive_calls IS 'The same without calls from within itself.';
COMMENT ON COLUMN function_stat.own_ms IS 'Time in it, without the functions it called.';
COMMENT ON COLUMN function_stat.total_ms IS 'Time in it, with the functions it called.';

CREATE TABLE function_call (
    profile_id      bigint           NOT NULL REFERENCES job_profile (id) ON DELETE CASCADE,
    caller_id       integer          NOT NULL REFERENCES function (id),
    callee_id       integer          NOT NULL REFERENCES function (id),
    calls           bigint           NOT NULL,
    primitive_calls bigint           NOT NULL,
    own_ms          double precision NOT NULL,
    total_ms        double precision NOT NULL,
    PRIMARY KEY (profile_id, caller_id, callee_id)
);
COMMENT ON TABLE function_call IS 'What calls of one function by another cost in one profile.';
COMMENT ON COLUMN function_call.profile_id IS 'Set when written.';
COMMENT ON COLUMN function_call.caller_id IS 'Set when written.';
COMMENT ON COLUMN function_call.callee_id IS 'Set when written.';
COMMENT ON COLUMN function_call.calls IS 'How often the one called the other; 0 where stacks were sampled.';
COMMENT ON COLUMN function_call.primitive_calls IS 'The same without calls from within itself.';
COMMENT ON COLUMN function_call.own_ms IS 'Time in the callee when called from there, without the functions it called.';
COMMENT ON COLUMN function_call.total_ms IS 'Time in the callee when called from there, with the functions it called.';

CREATE VIEW profile_hotspots AS
SELECT extension.name AS job, p.code_version, function.file, function.line, function.name AS function,
       ran.profiles, ran.executions, sum(s.calls)::bigint AS calls, sum(s.primitive_calls)::bigint AS primitive_calls,
       sum(s.own_ms) AS own_ms, sum(s.total_ms) AS total_ms,
       sum(s.calls)::double precision / ran.executions AS calls_per_execution, sum(s.own_ms) / ran.executions AS own_ms_per_execution,
       sum(s.own_ms) / nullif(ran.total_ms, 0) AS own_share
FROM function_stat AS s
JOIN job_profile AS p ON p.id = s.profile_id
JOIN function ON function.id = s.function_id
JOIN extension ON extension.id = p.extension_id
JOIN (
    SELECT extension_id, code_version, count(*) AS profiles, sum(executions)::bigint AS executions, sum(total_ms) AS total_ms
    FROM job_profile GROUP BY extension_id, code_version
) AS ran ON ran.extension_id = p.extension_id AND ran.code_version = p.code_version
GROUP BY extension.name, p.code_version, function.id, function.file, function.line, function.name,
         ran.profiles, ran.executions, ran.total_ms;
COMMENT ON VIEW profile_hotspots IS 'Where the time of a job goes: each function that was seen in its profiles, for each version of its code.';
COMMENT ON COLUMN profile_hotspots.job IS 'The function that was posted.';
COMMENT ON COLUMN profile_hotspots.code_version IS 'The version of its code.';
COMMENT ON COLUMN profile_hotspots.file IS 'Where the function is defined.';
COMMENT ON COLUMN profile_hotspots.line IS 'And in which line.';
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
JOIN function AS caller ON caller.id = c.caller_id
JOIN function AS callee ON callee.id = c.callee_id
JOIN extension ON extension.id = p.extension_id
GROUP BY extension.name, p.code_version, caller.id, caller.file, caller.line, caller.name,
         callee.id, callee.file, callee.line, callee.name;
COMMENT ON VIEW profile_callers IS 'Who calls whom in the profiles of a job, how often, and what that costs.';
COMMENT ON COLUMN profile_callers.job IS 'The function that was posted.';
COMMENT ON COLUMN profile_callers.code_version IS 'The version of its code.';
COMMENT ON COLUMN profile_callers.caller_file IS 'Where the caller is defined.';
COMMENT ON COLUMN profile_callers.caller_line IS 'And in which line.';
COMMENT ON COLUMN profile_callers.caller IS 'The function that calls.';
COMMENT ON COLUMN profile_callers.callee_file IS 'Where the called function is defined.';
COMMENT ON COLUMN profile_callers.callee_line IS 'And in which line.';
COMMENT ON COLUMN profile_callers.callee IS 'The function that is called.';
COMMENT ON COLUMN profile_callers.calls IS 'How often.';
COMMENT ON COLUMN profile_callers.own_ms IS 'Time in the callee when called from there, without the functions it called.';
COMMENT ON COLUMN profile_callers.total_ms IS 'Time in the callee when called from there, with the functions it called.';

-- Reports in one statement --------------------------------------------------------------------------------------

-- Whoever finds in the middle of a statement that it needs several: as a collision it is undone, and done the long way.
CREATE FUNCTION refuse_shortcut() RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'others wait for this' USING ERRCODE = 'serialization_failure';
END
$$;

-- Unique keys ---------------------------------------------------------------------------------------------------

ALTER TABLE job ADD COLUMN unique_key text CHECK (length(unique_key) BETWEEN 1 AND 200);
COMMENT ON COLUMN job.unique_key IS 'Set on submit: while this job has not ended, no other job of the function has the same key.';
-- Jobs without a key, nearly all, are not in it.
CREATE UNIQUE INDEX job_is_unique ON job (extension_id, unique_key)
    WHERE unique_key IS NOT NULL AND state IN ('blocked', 'pending', 'assigned', 'running');
ALTER TABLE posting ADD COLUMN duplicates integer NOT NULL DEFAULT 0;
COMMENT ON COLUMN posting.duplicates IS 'Set when posted: how many calls were left out because an unfinished job had the same key.';
