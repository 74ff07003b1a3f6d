"""Leaderboards that were frozen and are released, so that the clock does not freeze them again."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Add the column; what is kept so far is frozen."""
    frozen = sa.Column("released", sa.Boolean, nullable=False, server_default=sa.false())
    op.add_column("frozen_standings", frozen)
