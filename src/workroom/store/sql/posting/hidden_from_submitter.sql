-- Those of these postings that belong to a room that their submitter may no longer read.
SELECT posting.id FROM posting
JOIN room ON room.name = posting.room
JOIN account ON account.id = posting.submitter
LEFT JOIN room_member ON room_member.room = room.name AND room_member.account_id = account.id
WHERE posting.id = ANY (%(ids)s::uuid[]) AND room.visibility <> 'public' AND room.owner_id IS DISTINCT FROM account.id
  AND room_member.rights IS NULL AND account.role <> 'admin'
