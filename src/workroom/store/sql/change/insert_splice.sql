-- Insert one splice of a change.
INSERT INTO change_splice (change_id, ordinal, start, removed, added, undoes)
VALUES (%(change_id)s, %(ordinal)s, %(start)s, %(removed)s, %(added)s, %(undoes)s)
