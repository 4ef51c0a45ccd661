"""How large and how many; each is checked before anything is stored."""

ARGUMENT_BYTES = 1_000_000
RESULT_BYTES = 1_000_000
SCHEMA_BYTES = 100_000
ERROR_BYTES = 64_000
MESSAGE_BYTES = 1_000_000

KEY_LENGTH = 200

EXTENSIONS_PER_WORKER = 1_000
JOBS_PER_BULK_SUBMIT = 100_000
CHANGES_KEPT = 10_000  # for an undo, in each room
DEPENDENCIES_PER_JOB = 1_000
JOBS_PER_SWEEP = 100_000
POSTING_BYTES = 500_000_000

PAGE_BYTES = 4_000_000  # of arguments or results in one answer, as the database keeps them
