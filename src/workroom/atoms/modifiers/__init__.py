"""Modifiers: they make a new structure of the one that is shown."""
