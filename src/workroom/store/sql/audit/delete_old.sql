-- Delete old audit rows, a bounded number.
DELETE FROM audit_log
WHERE id = ANY (ARRAY(SELECT old.id FROM audit_log AS old WHERE old.at < %(before)s ORDER BY old.at LIMIT %(limit)s))
