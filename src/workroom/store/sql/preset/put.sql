-- Save the values of a form under a name. Only its author or an owner of the room replaces a preset, and a form has a bounded
-- number of them. Returns nothing when it may not be saved.
INSERT INTO form_preset AS saved (room, category, extension, name, account_id, data)
SELECT %(room)s, %(category)s, %(extension)s, %(name)s, %(account_id)s, %(data)s::jsonb
WHERE (SELECT count(*) FROM form_preset AS other
       WHERE other.room = %(room)s AND other.category = %(category)s AND other.extension = %(extension)s
         AND other.name <> %(name)s) < %(most)s
ON CONFLICT (room, category, extension, name) DO UPDATE SET data = excluded.data, updated_at = now()
WHERE saved.account_id = %(account_id)s OR %(any_author)s
RETURNING true
