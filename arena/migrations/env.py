"""Runs the migrations on the application's own engine, all of them or none.

One process migrates at a time: on SQLite the transaction begins as a writing one, on PostgreSQL
it takes a lock first.
"""

from alembic import context
from flask import current_app

from arena.database import WRITING

LOCK = 0x0A7E4A

database = current_app.extensions["migrate"].db


def run() -> None:
    """Migrate in one transaction."""
    engine = database.engine
    with engine.connect().execution_options(**{WRITING: True}) as connection:
        context.configure(
            connection=connection,
            target_metadata=database.metadata,
            transactional_ddl=True,
            compare_type=True,
        )
        with context.begin_transaction():
            if engine.dialect.name == "postgresql":
                connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({LOCK})")
            context.run_migrations()


run()
