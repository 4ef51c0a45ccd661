-- The presets of a form in a room, by name.
SELECT form_preset.name, form_preset.account_id, account.name, form_preset.data, form_preset.updated_at
FROM form_preset LEFT JOIN account ON account.id = form_preset.account_id
WHERE form_preset.room = %(room)s AND form_preset.category = %(category)s AND form_preset.extension = %(extension)s
ORDER BY lower(form_preset.name), form_preset.name
