-- Give the bookmarks that `move_bookmarks` set aside their new keys.
UPDATE scene_item SET key = substr(key, 2) WHERE room = %(room)s AND kind = 'bookmark' AND key LIKE '>%%'
