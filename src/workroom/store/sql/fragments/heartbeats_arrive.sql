-- Condition: at the time `clock.now`, those of the kind of `heartbeats` have been able to arrive for a whole lease.
heartbeats.open_since < clock.now - %(lease_seconds)s * interval '1 second' AND heartbeats.open_until > clock.now - %(gap_seconds)s * interval '1 second'
