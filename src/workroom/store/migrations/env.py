"""Alembic's entry: run the steps on the connection that `run.py` brings, each in its own transaction."""

from alembic import context

context.configure(connection=context.config.attributes["connection"], transaction_per_migration=True)
with context.begin_transaction():
    context.run_migrations()
