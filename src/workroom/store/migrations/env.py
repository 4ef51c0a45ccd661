"""Configuration of alembic: runs each migration in its own transaction, on the connection of `run_alembic.py`."""

from alembic import context

context.configure(connection=context.config.attributes["connection"], transaction_per_migration=True)
with context.begin_transaction():
    context.run_migrations()
