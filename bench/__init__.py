"""Measures what `quality.md` promises: `make bench`, or `make bench ROWS=P1,P6`."""
