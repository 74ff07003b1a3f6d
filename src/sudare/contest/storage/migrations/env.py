"""How Alembic reaches the database: by the connection that it is given."""

from alembic import context

from sudare.contest.storage.database import Base


def _run() -> None:
    connection = context.config.attributes["connection"]
    context.configure(connection=connection, target_metadata=Base.metadata)
    context.run_migrations()


if hasattr(context, "config"):  # Alembic is at work; otherwise somebody only imports this file
    _run()
