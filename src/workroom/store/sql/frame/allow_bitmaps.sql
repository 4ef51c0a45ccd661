-- For this transaction: the GIN index on removed frames can only be read by a bitmap scan.
SET LOCAL enable_bitmapscan = on
