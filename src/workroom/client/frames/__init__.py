"""The trajectory of a room, as a list of ase.Atoms.

ase_codec     ase.Atoms as encoded frames, and back
files         upload of a file into a room, download of frames as a file
frame_list    the blocking list of frames (`room[0]`, `room.append(atoms)`)
async_frames  `AsyncFrames`: reads and writes of frames
indexing      Python indices, slices and masks as request parameters
prefetch      iteration over frames that fetches the next ones in advance
transfer      streaming of frames: buffering, uploads, decoding of downloads
write_batch   writes that are collected and sent as one request
"""
