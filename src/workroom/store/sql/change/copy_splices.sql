-- Insert many splices.
COPY change_splice (change_id, ordinal, start, removed, added, undoes) FROM STDIN (FORMAT binary)
