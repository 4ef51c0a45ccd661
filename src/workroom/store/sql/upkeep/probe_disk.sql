-- Write two megabytes into a table that is dropped at once. Fails while the disk is full.
CREATE TEMPORARY TABLE disk_probe ON COMMIT DROP AS SELECT repeat('x', 1000) FROM generate_series(1, 2000)
