"""Tables of rooms and their content. Each function runs one statement of `store/sql` and returns its rows.

rooms            rooms, members, and the access of an account
thumbnails       pictures of rooms in lists
share_links      links by which users become members
chat             chat messages
presets          values of forms that were saved under a name
input_files      files that were uploaded for fields of extensions
setting_values   values of users for settings extensions
changes          the write lock of a room, inserting and expiring changes
change_history   listing changes, and what an undo needs
trajectories     which frame is at which position
frames           bodies and layouts of frames
items            selections, bookmarks, geometries, figures, metadata
locks            locks on parts of a room
"""
