"""A standalone HTML report of one audit, without a script."""

from __future__ import annotations

from collections.abc import Sequence

from provenance_core import Audit
from provenance_core.review.types import Review
from provenance_core.serialization import to_plain
from provenance_core.tracing import sentence_matrix

from . import markup
from .charts import shown_part
from .report_page import render_page
from .review_wording import CHUNK_MARKS, JUDGED, TYPES
from .wording import (
    VERDICTS,
    chunk_name,
    formula_lines,
    sentence_name,
    status,
)


def audit_report(audit: Audit, reviews: Sequence[Review] = ()) -> str:
    """The report as one HTML document, with the judgements in ``reviews``."""
    support, contradiction = sentence_matrix(audit.evidence)
    return render_page(
        "audit_report.html",
        audit=audit,
        reviews=reviews,
        verdict=VERDICTS[audit.verdict],
        judged=JUDGED,
        finding=TYPES,
        chunk_marks=CHUNK_MARKS,
        answer=markup.answer_markup(audit),
        sentences=[markup.evidence_markup(audit, traced) for traced in audit.sentences],
        formula=formula_lines(audit),
        claims=markup.claims_markup(audit),
        shown=shown_part(audit),
        support=support,
        contradiction=contradiction,
        chunk_name=chunk_name,
        sentence_name=sentence_name,
        status=status,
        parameters=to_plain(audit.parameters),
        models=[to_plain(audit.evidence.relevance_model), to_plain(audit.evidence.nli_model)],
    )
