"""The adjudication section of the Review page, without a browser."""

from __future__ import annotations

import pytest

from provenance_core.review.types import JudgedVerdict, Judgement
from storage import AuditStore, GoldLabelStore, ReviewStore
from tests.app_page import open_page, text_tables
from tests.conftest import shown_html
from tests.dashboard.test_review_page import SCRIPT, an_audit, said

S, H = JudgedVerdict.SUPPORTED, JudgedVerdict.HALLUCINATED


@pytest.fixture
def gold(url) -> GoldLabelStore:
    """Reviewers disagree about audits 1 and 2, not about 3."""
    audits, reviews = AuditStore.open(url), ReviewStore.open(url)
    for number, entailment in enumerate((0.2, 0.5, 0.9), 1):
        audits.save(an_audit(entailment))
        reviews.save(number, "ann", Judgement(S, comment=SCRIPT))
        reviews.save(number, "bob", Judgement(S if number == 3 else H))
    return GoldLabelStore.open(url)


def test_disagreements_are_settled_one_after_another(gold, url):
    app = open_page("review", section="Adjudication")
    app.text_input(key="reviewer").set_value("cy").run()
    assert "0 of 2 disagreements settled" in said(app)
    app.button(key="gold_skip").click().run()
    (comment,) = (box for box in app.text_input if str(box.key).startswith("gold_comment_"))
    first = int(comment.key.removeprefix("gold_comment_"))
    comment.set_value(f"page 2 {SCRIPT}")
    app.button(key="gold_hallucinated").click().run()
    (label,) = gold.of(first)
    assert (label.decided_by, label.verdict, label.comment) == ("cy", H, f"page 2 {SCRIPT}")
    assert "You have skipped" in said(app)
    next(b for b in app.button if b.label == "Show skipped answers again").click().run()
    app.button(key="gold_supported").click().run()
    assert "2 of 2 disagreements settled" in said(app)
    assert "Every disagreement of these answers is settled." in said(app)
    app.button(key=f"gold_again_{first}").click().run()
    assert "decided by cy" in said(app)
    app.button(key="gold_cannot_tell").click().run()
    assert [each.verdict for each in gold.of(first)] == [H, JudgedVerdict.CANNOT_TELL]
    assert len(ReviewStore.open(url).of(first)) == 2, "no judgement was replaced"
    assert not app.exception
    assert "<script>alert" not in shown_html(app)
    app = open_page("review", section="Agreement")
    rows = [row for table in text_tables(app) for row in table if "confirmed" in row]
    assert {row["reviewer"] for row in rows} == {"ann", "bob"}
