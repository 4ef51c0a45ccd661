-- Lock the extensions of a room that is about to be deleted: no job is submitted to them any more.
SELECT id, scope, room, category, name FROM extension WHERE room = %(name)s ORDER BY id FOR UPDATE
