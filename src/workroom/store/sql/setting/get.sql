-- The values of a user for a settings extension in a room.
SELECT data FROM setting_value WHERE room = %(room)s AND account_id = %(account_id)s AND name = %(name)s
