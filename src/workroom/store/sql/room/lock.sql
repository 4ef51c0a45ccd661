-- Lock a room that is about to be deleted: no posting, registration or membership is added any more.
SELECT name FROM room WHERE name = %(name)s FOR UPDATE
