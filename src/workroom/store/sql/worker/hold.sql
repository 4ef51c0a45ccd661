-- Lock a worker's row, so that who hands it jobs and who takes its reports take turns; answers whether it can take jobs.
SELECT attached AND gone_at IS NULL AND NOT draining FROM worker WHERE id = %(id)s FOR NO KEY UPDATE
