"""Reviews, claims on audits, presets, digests of texts"""

import sqlalchemy as sa
from alembic import op

from provenance_core.audit.digest import source_digest, text_digest

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def _keep_digests() -> None:
    """Digests of the texts of every audit, with one audit in memory at a time."""
    bind = op.get_bind()
    numbers = bind.scalars(sa.text("SELECT id FROM audits ORDER BY id")).all()
    for number in numbers:
        query, answer = bind.execute(
            sa.text("SELECT query, answer FROM audits WHERE id = :id"), {"id": number}
        ).one()
        context = bind.scalars(
            sa.text("SELECT text FROM context_items WHERE audit_id = :id ORDER BY position"),
            {"id": number},
        ).all()
        bind.execute(
            sa.text(
                "UPDATE audits SET source_digest = :source, text_digest = :texts WHERE id = :id"
            ),
            {
                "id": number,
                "source": source_digest(query, context),
                "texts": text_digest(query, answer),
            },
        )


def upgrade() -> None:
    with op.batch_alter_table("audits", schema=None) as batch_op:
        batch_op.add_column(sa.Column("source_digest", sa.String(length=32), nullable=True))
        batch_op.add_column(sa.Column("text_digest", sa.String(length=32), nullable=True))
        batch_op.add_column(sa.Column("unsupported_sentences", sa.Integer(), nullable=True))
        batch_op.create_index(
            "ix_audits_source", ["source_digest", "text_digest", "id"], unique=False
        )
        batch_op.create_index(
            "ix_audits_verdict_created_at", ["verdict", "created_at", "id"], unique=False
        )
        batch_op.create_index(
            "ix_audits_score", ["score", "id", "threshold", "verdict"], unique=False
        )
        batch_op.drop_index("ix_audits_verdict")
    with op.batch_alter_table("run_rows", schema=None) as batch_op:
        batch_op.create_index(
            "ix_run_rows_filters",
            ["run_id", "audit_id", "label", "task", "subset", "source_model", "id"],
            unique=False,
        )
    _keep_digests()
    op.create_table(
        "presets",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("created_at", sa.String(length=40), nullable=False),
        sa.Column("created_by", sa.String(length=80), nullable=False),
        sa.Column("profile", sa.String(length=64), nullable=False),
        sa.Column("parameters", sa.JSON(), nullable=False),
        sa.Column("evidence", sa.JSON(), nullable=False),
        sa.Column("is_default", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("name"),
    )
    op.create_table(
        "review_claims",
        sa.Column("audit_id", sa.Integer(), nullable=False),
        sa.Column("reviewer", sa.String(length=80), nullable=False),
        sa.Column("expires_at", sa.String(length=40), nullable=False),
        sa.ForeignKeyConstraint(["audit_id"], ["audits.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("audit_id", "reviewer"),
    )
    with op.batch_alter_table("review_claims", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_review_claims_expires_at"), ["expires_at"], unique=False
        )

    op.create_table(
        "reviews",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("audit_id", sa.Integer(), nullable=False),
        sa.Column("reviewer", sa.String(length=80), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("latest", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.String(length=40), nullable=False),
        sa.Column("verdict", sa.String(length=16), nullable=False),
        sa.Column("finding_type", sa.String(length=40), nullable=True),
        sa.Column("comment", sa.Text(), nullable=False),
        sa.Column("blind", sa.Boolean(), nullable=False),
        sa.Column("machine_score", sa.Float(precision=53), nullable=False),
        sa.Column("machine_threshold", sa.Float(precision=53), nullable=False),
        sa.Column("machine_verdict", sa.String(length=16), nullable=False),
        sa.Column("machine_labels", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["audit_id"], ["audits.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("audit_id", "reviewer", "version"),
    )
    with op.batch_alter_table("reviews", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_reviews_reviewer"), ["reviewer"], unique=False)
        batch_op.create_index("ix_reviews_latest", ["latest", "audit_id", "verdict"], unique=False)

    op.create_table(
        "review_chunks",
        sa.Column("review_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("mark", sa.String(length=16), nullable=False),
        sa.ForeignKeyConstraint(["review_id"], ["reviews.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("review_id", "position"),
    )
    op.create_table(
        "review_sentences",
        sa.Column("review_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("verdict", sa.String(length=16), nullable=False),
        sa.Column("finding_type", sa.String(length=40), nullable=True),
        sa.ForeignKeyConstraint(["review_id"], ["reviews.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("review_id", "position"),
    )
    op.create_table(
        "review_spans",
        sa.Column("review_id", sa.Integer(), nullable=False),
        sa.Column("start_offset", sa.Integer(), nullable=False),
        sa.Column("end_offset", sa.Integer(), nullable=False),
        sa.Column("finding_type", sa.String(length=40), nullable=False),
        sa.ForeignKeyConstraint(["review_id"], ["reviews.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("review_id", "start_offset", "end_offset", "finding_type"),
    )


def downgrade() -> None:
    op.drop_table("review_spans")
    op.drop_table("review_sentences")
    op.drop_table("review_chunks")
    with op.batch_alter_table("reviews", schema=None) as batch_op:
        batch_op.drop_index("ix_reviews_latest")
        batch_op.drop_index(batch_op.f("ix_reviews_reviewer"))

    op.drop_table("reviews")
    with op.batch_alter_table("review_claims", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_review_claims_expires_at"))

    op.drop_table("review_claims")
    op.drop_table("presets")
    op.drop_index("ix_run_rows_filters", "run_rows")
    op.create_index("ix_audits_verdict", "audits", ["verdict"])
    for name in ("ix_audits_score", "ix_audits_verdict_created_at", "ix_audits_source"):
        op.drop_index(name, "audits")
    # Not in a batch, which makes the table anew: dropping the old one would drop all it owns.
    for column in ("unsupported_sentences", "text_digest", "source_digest"):
        op.drop_column("audits", column)
