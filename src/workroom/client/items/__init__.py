"""The items of a room beside its trajectory: selections, bookmarks, geometries, figures, metadata.

codecs       conversion of each kind of item between Python and JSON
items        `AsyncItems` and `AsyncScene`: reads, writes, step, presence, changes, undo, locks
sync_items   the blocking mappings and properties
"""
