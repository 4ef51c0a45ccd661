-- The extensions of a room about to be deleted, locked: nobody submits to them any more.
SELECT id, scope, room, category, name FROM extension WHERE room = %(name)s ORDER BY id FOR UPDATE
