-- Record which uploaded files the arguments of jobs name.
INSERT INTO job_input (job_id, file_id)
SELECT * FROM unnest(%(job_ids)s::uuid[], %(file_ids)s::uuid[]) ON CONFLICT DO NOTHING
