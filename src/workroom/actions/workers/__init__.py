"""Actions on workers.

register    register, attach, detach, heartbeat, drain, leave
heartbeat_window  since when heartbeats could arrive without a gap
end         workers that lost their rights: their end, and what becomes of their jobs
throughput  counts of ended attempts per worker
"""
