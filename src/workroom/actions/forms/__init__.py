"""What people fill in the fields of extensions with.

input_files  uploaded files that the arguments of jobs name
presets      values that people save under a name and share in a room
"""
