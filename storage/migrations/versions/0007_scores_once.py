"""The scores of an answer whose sentences are its claims are kept once, as those of its claims."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

_SCORES = "row_position, chunk, entailment, neutral, contradiction"


def upgrade() -> None:
    """Delete the scores of sentences where each is that of the claim in its place."""
    op.execute(
        sa.text(
            """
            DELETE FROM pair_scores WHERE kind = 'sentence' AND audit_id IN (
                SELECT own.audit_id
                FROM pair_scores AS own
                LEFT JOIN pair_scores AS claim
                    ON claim.audit_id = own.audit_id AND claim.kind = 'claim'
                    AND claim.row_position = own.row_position AND claim.chunk = own.chunk
                    AND claim.entailment = own.entailment AND claim.neutral = own.neutral
                    AND claim.contradiction = own.contradiction
                WHERE own.kind = 'sentence'
                GROUP BY own.audit_id
                HAVING count(*) = count(claim.audit_id)
                    AND (SELECT count(*) FROM claims WHERE claims.audit_id = own.audit_id)
                    = (SELECT count(*) FROM sentences WHERE sentences.audit_id = own.audit_id)
            )
            """
        )
    )


def downgrade() -> None:
    op.execute(
        sa.text(
            f"""
            INSERT INTO pair_scores (audit_id, kind, {_SCORES})
            SELECT audit_id, 'sentence', {_SCORES} FROM pair_scores
            WHERE kind = 'claim' AND audit_id NOT IN (
                SELECT audit_id FROM pair_scores WHERE kind = 'sentence'
            )
            """
        )
    )
