-- The item has gone on: the change now ends here.
UPDATE change_value SET after = %(value)s::jsonb WHERE change_id = %(change_id)s AND kind = %(kind)s AND key = %(key)s
