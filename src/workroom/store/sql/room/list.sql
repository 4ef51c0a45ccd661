-- A page of the rooms an account may see, by name; all rooms for an admin. The total is there even for an empty page.
WITH found AS MATERIALIZED (
    SELECT room.name, room.description, room.visibility, room.locked, room.owner_id, owner.name AS owner, room.created_at,
           room.updated_at, coalesce(room.owner_id = %(account_id)s, false) AS owned, room_member.rights, room.extensions_from
    FROM room
    LEFT JOIN account AS owner ON owner.id = room.owner_id
    LEFT JOIN room_member ON room_member.room = room.name AND room_member.account_id = %(account_id)s
    WHERE (%(all)s::boolean OR room.visibility = 'public' OR room.owner_id = %(account_id)s OR room_member.rights IS NOT NULL)
      AND strpos(lower(room.name || E'\n' || room.description), lower(%(search)s::text)) > 0
)
SELECT counted.total, page.* FROM (SELECT count(*) AS total FROM found) AS counted
LEFT JOIN (SELECT * FROM found ORDER BY name LIMIT %(limit)s OFFSET %(offset)s) AS page ON true
ORDER BY page.name
