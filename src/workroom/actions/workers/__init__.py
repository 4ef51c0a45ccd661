"""Actions on workers.

register    register, attach, detach, heartbeat, drain, leave
end         workers that lost their rights: their end, and what becomes of their jobs
throughput  counts of ended attempts per worker
"""
