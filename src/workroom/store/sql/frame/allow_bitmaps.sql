-- For this transaction: the index on what changes took out can only be read by way of a bitmap.
SET LOCAL enable_bitmapscan = on
