-- Lock a worker's row, so that who hands it jobs and who takes its reports take turns: can it take jobs, and who is it now?
SELECT attached AND gone_at IS NULL AND NOT draining, incarnation FROM worker WHERE id = %(id)s FOR NO KEY UPDATE
