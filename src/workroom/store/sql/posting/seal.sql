-- All jobs of a posting are written: set its total, so that it can end with the last of them.
UPDATE posting SET total = total + %(count)s, duplicates = %(duplicates)s, sealed = true
WHERE id = %(id)s AND finished_at IS NULL
