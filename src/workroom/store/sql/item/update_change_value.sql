-- Update the new value of an item in a change that further writes were merged into.
UPDATE change_value SET after = %(value)s::jsonb WHERE change_id = %(change_id)s AND kind = %(kind)s AND key = %(key)s
