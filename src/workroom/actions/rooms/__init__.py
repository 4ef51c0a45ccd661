"""Actions on rooms and their content. Each write is a labelled change that can be undone.

rooms               create, list, update and duplicate rooms; their thumbnails; load the access of an account
delete              delete a room and everything in it
members             members and share links
chat                chat messages
step                the frame that all viewers show
locks               locks on parts of a room
write_transaction   begin and commit a write: locks, attempt of the job, revision
frame_streams       write and read frames as streams
frame_layouts       the keys, types and shapes of frames, stored once each
edit_trajectory     edit a trajectory by splices
frame_marks         bookmarks, selected frames, links and the step follow their frames
items               selections, bookmarks, geometries, figures, metadata
undo                undo a change or all changes of a job
undo_trajectory     undo of changes to a trajectory
expire_changes      expire and delete old changes, frames, notices and share links
"""
