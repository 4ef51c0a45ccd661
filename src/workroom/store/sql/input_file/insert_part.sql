-- Store a part of an uploaded file.
INSERT INTO input_file_part (file_id, ordinal, body) VALUES (%(file_id)s, %(ordinal)s, %(body)s)
