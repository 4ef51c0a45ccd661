-- An owner adds the account again: share links work for it as before.
DELETE FROM removed_member WHERE room = %(room)s AND account_id = %(account_id)s
