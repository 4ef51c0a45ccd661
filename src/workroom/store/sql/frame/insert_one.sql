-- Insert one frame.
INSERT INTO frame (layout_id, change_id, body) VALUES (%(layout_id)s, %(change_id)s, %(body)s) RETURNING id
