"""A standalone HTML report of one audit: no script, no network, opens from disk."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from provenance_core import Audit, __version__
from provenance_core.serialization import to_plain
from provenance_core.tracing import sentence_matrix

from . import markup
from .charts import shown_part
from .wording import VERDICTS, chunk_name, formula_lines, sentence_name, status

_ENVIRONMENT = Environment(
    loader=FileSystemLoader(Path(__file__).parent / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
)


def audit_report(audit: Audit) -> str:
    """The report as one HTML document. Texts are escaped by the template."""
    shown = shown_part(audit)
    support, contradiction = sentence_matrix(audit.evidence)
    return _ENVIRONMENT.get_template("report.html").render(
        audit=audit,
        verdict=VERDICTS[audit.verdict],
        style=markup.STYLE,
        answer=markup.answer_markup(audit),
        hallucinations=[
            markup.hallucination_markup(audit, t) for t in audit.sentences if t.label != "supported"
        ],
        formula=formula_lines(audit),
        claims=markup.claims_markup(audit),
        shown=shown,
        support=support,
        contradiction=contradiction,
        chunk_name=chunk_name,
        sentence_name=sentence_name,
        status=status,
        parameters=to_plain(audit.parameters),
        models=[to_plain(audit.evidence.relevance_model), to_plain(audit.evidence.nli_model)],
        version=_version(),
    )


def _version() -> str:
    try:
        return version("provenance")
    except PackageNotFoundError:
        return __version__
