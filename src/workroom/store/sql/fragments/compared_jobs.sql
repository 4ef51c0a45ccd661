-- The filters of a list of jobs that are compared job by job.
      AND job.state = ANY (%(states)s::text[]::job_state[]) --? states
      AND job.worker_id = %(worker_id)s --? worker_id
      AND extension.category = %(category)s --? category
      AND extension.name = %(name)s --? name
      AND strpos(lower(extension.category || '/' || extension.name), lower(%(search)s)) > 0 --? search
      AND job.submitter IN (SELECT account.id FROM account WHERE strpos(lower(account.name), lower(%(user)s)) > 0) --? user
      AND (strpos(job.worker_id::text, lower(%(worker)s)) > 0 OR job.worker_id IN ( --? worker
          SELECT worker.id FROM worker --? worker
          WHERE strpos(lower(concat_ws(' ', worker.info ->> 'name', worker.info ->> 'host')), lower(%(worker)s)) > 0)) --? worker
      AND job.error ->> 'type' = %(error_type)s --? error_type
      AND coalesce(job.error ->> 'place', '') = %(error_place)s --? error_place
      -- What the list leaves out, long arguments and those with secrets, cannot be searched either. The collation "C" folds only ASCII
      -- letters, in a quarter of the time.
      AND (CASE WHEN pg_column_size(job.arguments) <= 2000 AND job.extension_id <> ALL (ARRAY( --? patterns
               SELECT form.id FROM extension AS form --? patterns
               WHERE strpos(form.schema::text, '"writeOnly"') > 0 OR strpos(form.schema::text, '"password"') > 0)) --? patterns
           THEN lower(job.arguments::text COLLATE "C") LIKE ALL (%(patterns)s::text[]) ELSE false END --? patterns
           OR (job.error IS NOT NULL --? patterns
               AND lower(left(job.error ->> 'message', 1000) COLLATE "C") LIKE ALL (%(patterns)s::text[]))) --? patterns
      AND (job.room IS NULL OR EXISTS ( --? visible_to
          SELECT FROM room CROSS JOIN (SELECT %(visible_to)s::uuid AS id) AS reader WHERE room.name = job.room AND --? visible_to
          --< fragments/may_read_room --? visible_to
          )) --? visible_to
