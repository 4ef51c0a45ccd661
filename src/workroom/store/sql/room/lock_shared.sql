-- Lock a room in which a worker is about to register: its members and settings stay until the transaction ends.
SELECT name FROM room WHERE name = %(name)s FOR SHARE
