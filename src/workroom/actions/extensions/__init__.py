"""Actions on extensions.

register   register extensions with their schema and settings
resolve    find the extension that a name refers to
arguments  validate arguments against the schema
settings   values of extensions of category settings
retention  delete extensions that were removed long ago
"""
