-- Delete guests that did not sign in for long and that nothing refers to, a bounded number. A disabled guest stays: with
-- the row the name would be free again. Accounts that an admin deleted are guests without a name of their own. The outer condition is checked again if a sign-in was faster.
DELETE FROM account
WHERE seen_at < %(before)s AND role = 'guest' AND (disabled_at IS NULL OR name LIKE 'deleted-%%') AND id = ANY (ARRAY(
    SELECT guest.id FROM account AS guest
    WHERE guest.role = 'guest' AND guest.password_hash IS NULL AND guest.seen_at < %(before)s
      AND (guest.disabled_at IS NULL OR guest.name LIKE 'deleted-%%')
      AND NOT EXISTS (SELECT FROM room WHERE room.owner_id = guest.id)
      AND NOT EXISTS (SELECT FROM room_member WHERE room_member.account_id = guest.id)
      AND NOT EXISTS (SELECT FROM job WHERE job.submitter = guest.id AND job.posting_id IS NULL)
      AND NOT EXISTS (SELECT FROM posting WHERE posting.submitter = guest.id)
      AND NOT EXISTS (SELECT FROM worker WHERE worker.account_id = guest.id)
      AND NOT EXISTS (SELECT FROM change WHERE change.author = guest.id)
      AND NOT EXISTS (SELECT FROM scene_item WHERE scene_item.updated_by = guest.id)
      AND NOT EXISTS (SELECT FROM chat_message WHERE chat_message.author = guest.id)
      AND NOT EXISTS (SELECT FROM room_lock WHERE room_lock.holder = guest.id)
      AND NOT EXISTS (SELECT FROM share_link WHERE share_link.created_by = guest.id)
    ORDER BY guest.seen_at LIMIT %(limit)s))
