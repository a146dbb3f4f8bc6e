"""An audit's matrices of scores are a value each, not a row a cell; supports for thresholds."""

from collections.abc import Iterator

import numpy as np
import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

# Audits in memory at a time.
_AT_ONCE = 200
_cells = sa.table(
    "pair_scores",
    *map(
        sa.column,
        (
            "audit_id",
            "kind",
            "row_position",
            "chunk",
            "entailment",
            "neutral",
            "contradiction",
        ),
    ),
)
_matrices = sa.table("score_matrices", *map(sa.column, ("audit_id", "kind", "scores")))


def _parts(table: sa.TableClause) -> Iterator[sa.ColumnElement[bool]]:
    """Conditions that choose the rows of a few audits each, and all in the end."""
    bind = op.get_bind()
    last = 0
    while True:
        wanted = (
            sa.select(table.c.audit_id)
            .where(table.c.audit_id > last)
            .distinct()
            .order_by(table.c.audit_id)
            .limit(_AT_ONCE)
        )
        numbers = bind.scalars(wanted).all()
        if not numbers:
            return
        yield table.c.audit_id.between(numbers[0], numbers[-1])
        last = numbers[-1]


def _of_rows(rows: list[sa.Row]) -> bytes:
    """Little-endian float64, shape (rows, chunks, 3); NaN where a cell is missing."""
    height = 1 + max(row.row_position for row in rows)
    width = 1 + max(row.chunk for row in rows)
    values = np.full((height, width, 3), np.nan, dtype="<f8")
    for row in rows:
        values[row.row_position, row.chunk] = (row.entailment, row.neutral, row.contradiction)
    return values.tobytes()


def upgrade() -> None:
    audit = sa.ForeignKey("audits.id", ondelete="CASCADE")
    op.create_table(
        "score_matrices",
        sa.Column("audit_id", sa.Integer(), audit, nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("scores", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("audit_id", "kind"),
    )
    op.create_table(
        "supports",
        sa.Column(
            "audit_id",
            sa.Integer(),
            sa.ForeignKey("audits.id", ondelete="CASCADE"),
            nullable=False,
        ),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("context", sa.String(length=64), nullable=False),
        sa.Column("by_sources", sa.Boolean(), nullable=False),
        sa.Column("probabilities", sa.LargeBinary(), nullable=False),
        sa.Column("factuality", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("audit_id"),
    )
    bind = op.get_bind()
    for part in _parts(_cells):
        found: dict[tuple[int, str], list[sa.Row]] = {}
        for row in bind.execute(sa.select(_cells).where(part)):
            found.setdefault((row.audit_id, row.kind), []).append(row)
        values = [
            {"audit_id": audit, "kind": kind, "scores": _of_rows(rows)}
            for (audit, kind), rows in found.items()
        ]
        bind.execute(sa.insert(_matrices), values)
    op.drop_table("pair_scores")


def downgrade() -> None:
    op.create_table(
        "pair_scores",
        sa.Column(
            "audit_id",
            sa.Integer(),
            sa.ForeignKey("audits.id", ondelete="CASCADE"),
            nullable=False,
        ),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("row_position", sa.Integer(), nullable=False),
        sa.Column("chunk", sa.Integer(), nullable=False),
        *(
            sa.Column(name, sa.Float(precision=53), nullable=False)
            for name in ("entailment", "neutral", "contradiction")
        ),
        sa.PrimaryKeyConstraint("audit_id", "kind", "row_position", "chunk"),
    )
    bind = op.get_bind()
    chunks = sa.text("SELECT count(*) FROM chunks WHERE audit_id = :audit")
    for part in _parts(_matrices):
        rows = []
        for matrix in bind.execute(sa.select(_matrices).where(part)).all():
            width = bind.scalar(chunks, {"audit": matrix.audit_id})
            values = np.frombuffer(matrix.scores, "<f8").reshape(-1, width, 3)
            rows += [
                {
                    "audit_id": matrix.audit_id,
                    "kind": matrix.kind,
                    "row_position": i,
                    "chunk": j,
                    "entailment": cell[0],
                    "neutral": cell[1],
                    "contradiction": cell[2],
                }
                for i, line in enumerate(values.tolist())
                for j, cell in enumerate(line)
                # A cell that is missing was none before.
                if cell[0] == cell[0]
            ]
        bind.execute(sa.insert(_cells), rows)
    op.drop_table("supports")
    op.drop_table("score_matrices")
