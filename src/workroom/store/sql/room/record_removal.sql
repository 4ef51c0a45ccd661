-- An owner removed a member: share links that exist by now do not let the account in again.
INSERT INTO removed_member (room, account_id) VALUES (%(room)s, %(account_id)s)
ON CONFLICT (room, account_id) DO UPDATE SET removed_at = clock_timestamp()
