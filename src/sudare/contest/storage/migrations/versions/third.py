"""The state of a team, the file that a team chose, and scores that were replaced."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Add the columns and the table; all teams so far take part, and nothing was chosen."""
    active = sa.Column("status", sa.String(10), nullable=False, server_default="active")
    op.add_column("accounts", active)
    unchosen = sa.Column("chosen", sa.Boolean, nullable=False, server_default=sa.false())
    op.add_column("entries", unchosen)
    op.create_table(
        "former_results",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("entry_id", sa.Integer, sa.ForeignKey("entries.id"), nullable=False, index=True),
        sa.Column("status", sa.String(10), nullable=False),
        sa.Column("content", sa.JSON, nullable=False),
        sa.Column("reason", sa.String(200), nullable=False),
        sa.Column("at", sa.Double, nullable=False),
    )
