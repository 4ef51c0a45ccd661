-- Reserve ids for new frames.
SELECT ARRAY(SELECT nextval('frame_id_seq') FROM generate_series(1, %(count)s))
