-- Remove a member.
DELETE FROM room_member WHERE room = %(room)s AND account_id = %(account_id)s RETURNING account_id
