-- Condition: `worker` is connected and accepts jobs.
worker.attached AND worker.ended_at IS NULL AND NOT worker.draining
