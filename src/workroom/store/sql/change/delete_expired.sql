-- Delete expired changes that were made long ago, a bounded number, oldest first.
DELETE FROM change
WHERE id = ANY (ARRAY(
    SELECT old.id FROM change AS old
    WHERE old.id < %(made_before)s AND old.at < %(before)s AND old.expired
    ORDER BY old.id LIMIT %(limit)s))
