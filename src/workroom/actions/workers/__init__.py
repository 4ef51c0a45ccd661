"""Actions on workers.

register    register, attach, detach, heartbeat, drain, leave
heartbeat_window  since when heartbeats could arrive without a gap
throughput  counts of ended attempts per worker
"""
