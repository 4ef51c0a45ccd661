"""`python -m workroom.cli`, the same as `workroom`."""

from workroom.cli import main

main()
