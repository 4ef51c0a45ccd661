-- Note what was done, in the transaction that does it.
INSERT INTO audit_log (actor, action, subject, detail) VALUES (%(actor)s, %(act)s, %(subject)s, %(detail)s::jsonb)
