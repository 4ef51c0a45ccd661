-- Ids for frames that are about to be written.
SELECT ARRAY(SELECT nextval('frame_id_seq') FROM generate_series(1, %(count)s))
