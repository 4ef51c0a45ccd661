"""Actions on workers.

register    register, attach, detach, heartbeat, drain, leave
throughput  counts of ended attempts per worker
"""
