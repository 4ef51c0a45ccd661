-- The posting that a submitter posted with a key.
SELECT id FROM posting WHERE submitter = %(submitter)s AND extension_id = %(extension_id)s AND unique_key = %(unique_key)s
