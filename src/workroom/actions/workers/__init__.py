"""Actions on workers.

lifecycle         register, attach, detach, heartbeat, drain, leave
heartbeat_window  since when heartbeats could arrive without a gap
revoke            workers that lost their rights: their end, and what becomes of their jobs
throughput        counts of ended attempts per worker
"""
