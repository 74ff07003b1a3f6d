"""Leaderboards that are frozen, addresses of teams, and mail that waits to be sent."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Add the column and the tables; no team so far has an address."""
    op.add_column(
        "accounts", sa.Column("address", sa.String(254), nullable=False, server_default="")
    )
    op.create_table(
        "frozen_standings",
        sa.Column("round", sa.String(20), primary_key=True),
        sa.Column("content", sa.JSON, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
    )
    op.create_table(
        "mails",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("account_id", sa.Integer, sa.ForeignKey("accounts.id"), nullable=False),
        sa.Column("topic", sa.String(60), nullable=False),
        sa.Column("subject", sa.String(200), nullable=False),
        sa.Column("body", sa.String, nullable=False),
        sa.Column("status", sa.String(10), nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("due", sa.Double, nullable=False),
        sa.UniqueConstraint("account_id", "topic", name="one_mail_per_topic"),
    )
    op.create_index("mails_by_status", "mails", ["status", "due"])
