"""The rules of rooms, as pure functions and values.

trajectory_edits  list operations on a trajectory, and the ranges of frames they cut
frame_marks       bookmarks, selected frames and links of figures follow their frames through edits
items             kinds of items beside the trajectory (selections, geometries, figures, …), their keys and labels
locks             lock targets, TTLs and refresh interval
rights            read, write and own: who has which right in a room, who may offer extensions
undo_splices      undo of trajectory changes, moved past later changes
thumbnail         which images are accepted as the picture of a room in lists
"""
