-- Condition: at the time `clock.now`, heartbeats of the kind of `heard` have been able to arrive for a whole lease.
heard.open_since < clock.now - %(lease_seconds)s * interval '1 second' AND heard.open_until > clock.now - %(gap_seconds)s * interval '1 second'
