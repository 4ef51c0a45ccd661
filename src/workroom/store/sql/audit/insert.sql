-- Record an action, in the transaction of the action.
INSERT INTO audit_log (actor, action, subject, detail) VALUES (%(actor)s, %(act)s, %(subject)s, %(detail)s::jsonb)
