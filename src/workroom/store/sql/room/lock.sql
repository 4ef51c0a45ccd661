-- A room about to be deleted: nobody posts, registers or becomes a member there any more.
SELECT name FROM room WHERE name = %(name)s FOR UPDATE
