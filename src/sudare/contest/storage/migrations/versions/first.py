"""The tables of the first release."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "accounts",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("folded", sa.String(120), nullable=False, unique=True),
        sa.Column("role", sa.String(10), nullable=False),
        sa.Column("password", sa.String(200), nullable=False),
        sa.Column("created", sa.Double, nullable=False),
    )
    op.create_table(
        "sessions",
        sa.Column("token", sa.String(64), primary_key=True),
        sa.Column(
            "account_id", sa.Integer, sa.ForeignKey("accounts.id"), nullable=False, index=True
        ),
        sa.Column("expires", sa.Double, nullable=False),
    )
    op.create_table(
        "attempts",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("key", sa.String(200), nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.Index("attempts_by_key", "kind", "key", "at"),
    )
    op.create_table(
        "orders",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("phase", sa.String(30), nullable=False),
        sa.Column("is_open", sa.Boolean, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
    )
    op.create_table(
        "announcements",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("text", sa.String, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
    )
    _make_entries()
    _make_jobs()


def _make_entries() -> None:
    op.create_table(
        "entries",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("round", sa.String(20), nullable=False),
        sa.Column("team_id", sa.Integer, sa.ForeignKey("accounts.id"), nullable=False),
        sa.Column("target_id", sa.Integer, sa.ForeignKey("entries.id")),
        sa.Column("file", sa.String(64), nullable=False),
        sa.Column("filename", sa.String(100), nullable=False),
        sa.Column("size", sa.Integer, nullable=False),
        sa.Column("received", sa.Double, nullable=False),
        sa.Column("status", sa.String(10), nullable=False),
        sa.Column("problems", sa.JSON, nullable=False),
        sa.Column("problem_count", sa.Integer, nullable=False),
        sa.Index("entries_by_team", "round", "kind", "team_id", "target_id"),
    )


def _make_jobs() -> None:
    op.create_table(
        "jobs",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("entry_id", sa.Integer, sa.ForeignKey("entries.id"), nullable=False),
        sa.Column("status", sa.String(10), nullable=False),
        sa.Column("worker", sa.String(32)),
        sa.Column("lease", sa.Double),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("finished", sa.Double),
        sa.UniqueConstraint("kind", "entry_id", name="one_job_per_entry"),
        sa.Index("jobs_by_status", "status", "id"),
    )
    op.create_table(
        "results",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("job_id", sa.Integer, sa.ForeignKey("jobs.id"), nullable=False, unique=True),
        sa.Column("entry_id", sa.Integer, sa.ForeignKey("entries.id"), nullable=False, index=True),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("content", sa.JSON, nullable=False),
    )
