"""Workroom: shared rooms for science, with jobs that run anywhere."""

__version__ = "0.1.0"
