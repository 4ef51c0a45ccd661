-- The changes of a room, newest first; only those of one job, if one is given.
SELECT change.id, change.revision, change.action, change.label, change.author, account.name, change.job_id,
       change_origin.extension, change_origin.parameters, change.machine, change.undo_of, change.undone_by, change.at,
       splices.start, coalesce(splices.removed, 0), coalesce(splices.added, 0),
       -- The frames are looked up from the last one on; an undone change has none in the trajectory.
       CASE WHEN change.undone_by IS NULL THEN (
           SELECT here.position
           FROM (
               SELECT frame_id
               FROM change_splice, unnest(added) WITH ORDINALITY AS added_frame (frame_id, place)
               WHERE change_splice.change_id = change.id
               ORDER BY start DESC, place DESC
           ) AS latest
           CROSS JOIN LATERAL (
               SELECT room_frame.position FROM room_frame
               WHERE room_frame.frame_id = latest.frame_id AND room_frame.room = change.room
               LIMIT 1
           ) AS here
           LIMIT 1
       ) END,
       coalesce(items.named, '[]'::jsonb), coalesce(items.total, 0)
FROM change
JOIN room ON room.number = change.room
LEFT JOIN account ON account.id = change.author
LEFT JOIN change_origin ON change_origin.room = change.room AND change_origin.job_id = change.job_id
LEFT JOIN LATERAL (
    SELECT min(start) AS start, sum(cardinality(removed))::integer AS removed, sum(cardinality(added))::integer AS added
    FROM change_splice WHERE change_splice.change_id = change.id
) AS splices ON true
LEFT JOIN LATERAL (
    SELECT jsonb_agg(jsonb_build_object('kind', kind, 'key', key, 'act', CASE WHEN after IS NULL THEN 'removed'
                                                                              WHEN before IS NULL THEN 'added'
                                                                              ELSE 'changed' END)
                     ORDER BY kind, key) FILTER (WHERE place <= 20) AS named,
           count(*)::integer AS total
    FROM (
        SELECT value.*, row_number() OVER (ORDER BY kind, key) AS place
        FROM change_value AS value WHERE value.change_id = change.id
    ) AS value
) AS items ON true
WHERE room.name = %(room)s
  AND (%(job_id)s::uuid IS NULL OR change.job_id = %(job_id)s)
  AND (%(before)s::uuid IS NULL OR change.revision < (SELECT revision FROM change WHERE id = %(before)s))
  AND (%(id)s::uuid IS NULL OR change.id = %(id)s)
ORDER BY change.revision DESC LIMIT %(limit)s
