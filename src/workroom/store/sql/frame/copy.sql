-- Insert many frames.
COPY frame (id, layout_id, change_id, body) FROM STDIN (FORMAT binary)
