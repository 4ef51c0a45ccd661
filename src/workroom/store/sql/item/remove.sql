-- Remove items.
DELETE FROM scene_item WHERE room = %(room)s AND kind = %(kind)s AND key = ANY (%(keys)s::text[])
