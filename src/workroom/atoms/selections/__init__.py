"""Selections: they choose atoms of the frame that is shown."""
