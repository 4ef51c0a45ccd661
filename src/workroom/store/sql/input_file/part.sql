-- A part of an uploaded file.
SELECT body FROM input_file_part WHERE file_id = %(file_id)s AND ordinal = %(ordinal)s
