-- The account of a token and its access to a room. The columns of the room are null if it does not exist. No row when the
-- token, which has an epoch or is an API token, was revoked or has expired, or the account is disabled.
SELECT account.id, account.name, account.role, room.visibility, room.locked, room.owner_id = account.id, room_member.rights,
       room.extensions_from
FROM account
LEFT JOIN room ON room.name = %(room)s
LEFT JOIN room_member ON room_member.room = room.name AND room_member.account_id = account.id
WHERE account.id = %(account_id)s AND account.disabled_at IS NULL AND (account.token_epoch = %(epoch)s::integer OR EXISTS (
    SELECT FROM api_token
    WHERE api_token.id = %(api_token)s::uuid AND api_token.account_id = account.id
      AND (api_token.expires_at IS NULL OR api_token.expires_at > now())))
