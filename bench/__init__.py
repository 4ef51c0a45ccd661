"""Measures what `quality.md` promises: `make bench`, or `make bench ROWS=P1,P6`.

`rows` holds one file for each group of rows, `place` the throw-away PostgreSQL they run on, `processes` what runs a
loop in several processes at once, and `floor` the bare table that a queue is measured against. What the rows mean is in
`docs/reference/bench.md`.
"""
