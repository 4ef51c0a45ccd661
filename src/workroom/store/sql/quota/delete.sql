-- Remove the limit that was set for an account or a room: the default applies again.
DELETE FROM quota
WHERE account_id IS NOT DISTINCT FROM %(account_id)s::uuid AND room IS NOT DISTINCT FROM %(room)s::text AND name = %(name)s
