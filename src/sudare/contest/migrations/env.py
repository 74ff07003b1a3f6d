"""How Alembic reaches the database: by the connection that it is given."""

from alembic import context

from sudare.contest.database import Base

context.configure(connection=context.config.attributes["connection"], target_metadata=Base.metadata)
context.run_migrations()
