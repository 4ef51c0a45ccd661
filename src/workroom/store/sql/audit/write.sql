-- Note what was done, in the transaction that does it.
INSERT INTO audit (actor, act, subject, detail) VALUES (%(actor)s, %(act)s, %(subject)s, %(detail)s::jsonb)
