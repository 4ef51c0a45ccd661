"""Actions on extensions.

register   register extensions with their schema and settings
resolve    find the extension that a name refers to
arguments  validate arguments against the schema; judge schemas
schema_check  refuse schemas that are invalid or whose validation does not always end
schema_validator    validation with a budget of steps and time
validation_process  processes for validations that are too much for the event loop
adjust_queue  change the concurrency and priority of a queue, close its breakers
pause      pause and resume the queue of an extension
settings_category  values of extensions of category settings
remove     remove an extension that no worker offers any more
delete_removed  delete extensions that were removed long ago
"""
