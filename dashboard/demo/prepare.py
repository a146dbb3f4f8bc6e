"""Makes the prepared audits of the demonstration: ``python -m dashboard.demo.prepare``."""

from __future__ import annotations

import sys

from dashboard.audit.examples import CONTRADICTED, SUPPORTED, Example
from dashboard.demo.prepared import FOLDER, PreparedAnswer
from provenance_core import Audit, Provenance
from provenance_core.audit.mitigation import Suggestion, corrected, suggest
from provenance_core.audit.serialization import audit_to_json


def made_audits() -> dict[PreparedAnswer, Audit]:
    """The audits by the default profile: the right answer, the wrong one, and the wrong one with
    a suggestion accepted for each of its unsupported sentences."""
    models = Provenance.load()

    def audit(example: Example, answer: str) -> Audit:
        return models.audit(query=example.query, answer=answer, context=list(example.context))

    wrong = audit(CONTRADICTED, CONTRADICTED.answer)
    accepted: dict[int, Suggestion] = {}
    for each in suggest(wrong, models):  # of a sentence, a detail comes before the whole
        accepted.setdefault(each.sentence, each)
    return {
        PreparedAnswer.RIGHT: audit(SUPPORTED, SUPPORTED.answer),
        PreparedAnswer.WRONG: wrong,
        PreparedAnswer.CORRECTED: audit(
            CONTRADICTED, corrected(CONTRADICTED.answer, accepted.values())
        ),
    }


def main() -> int:
    """Write every prepared audit."""
    FOLDER.mkdir(exist_ok=True)
    for name, audit in made_audits().items():
        path = FOLDER / f"{name}.json"
        path.write_text(audit_to_json(audit) + "\n", encoding="utf-8")
        print(f"{path.name}: {audit.verdict}, score {audit.score:.3f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
