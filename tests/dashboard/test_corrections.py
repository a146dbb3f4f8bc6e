"""Corrected answers: kept beside the original, linked, and offered in the app one by one."""

from __future__ import annotations

import json
import re

import pytest
from inline_snapshot import snapshot
from streamlit.testing.v1 import AppTest

from dashboard.audit.correction_markup import changed_text, corrections_table
from provenance_core import Audit, Parameters, Verdict, assemble, default_parameters
from provenance_core.audit.mitigation import Suggestion, SuggestionKind, has_evidence, suggest
from storage import AuditNotFound, AuditStore, ItemFilter, ItemStore, StorageError
from storage.imports import Importer
from tests.app_page import open_page, tables
from tests.conftest import hand_evidence, press, shown_html
from tests.exports_data import exported
from tests.wording import assert_shows

SCRIPT = "<script>alert(1)</script>"
CONTEXT = [
    "Facebook bought Instagram in 2012. The company had 30 million users at that time, and 13 "
    "employees.",
    f"Instagram was founded in 2010 by Kevin Systrom and Mike Krieger in San Francisco. {SCRIPT}",
]
RIGHT = "Instagram had 30 million users when Facebook bought it in 2012."
WRONG = "Instagram had 69 million users when Facebook bought it in 2012."


def made(score: float, at: str = "2026-01-02T03:04:05.678+00:00", **parameters) -> Audit:
    return assemble(hand_evidence([0.1], [[score]]), Parameters(**parameters), at)


# --- storage -------------------------------------------------------------------------------


def test_the_original_and_its_corrections_are_linked_both_ways(url):
    store = AuditStore.open(url)
    first, other = store.save(made(0.1)), store.save(made(0.3))
    before = store.load(first)
    one, two = store.save(made(0.8), first), store.save(made(0.9), first)
    found = store.corrections(first)
    assert found.original is None
    assert [(row.id, row.corrected_from) for row in found.corrected] == [(one, first), (two, first)]
    assert [row.score for row in found.corrected] == [store.load(n).audit.score for n in (one, two)]
    below = store.save(made(0.95), one)
    between = store.corrections(one)
    assert between.original is not None and between.original.id == first
    assert [row.id for row in between.corrected] == [below]
    assert store.corrections(other).original is None and store.corrections(other).corrected == ()
    assert store.load(first) == before, "the original is as it was"


def test_a_correction_of_an_audit_that_is_not_there_is_not_saved(url):
    store = AuditStore.open(url)
    with pytest.raises(AuditNotFound, match="no audit 7"):
        store.save(made(0.8), 7)
    assert store.count() == 0


def test_a_correction_outlives_its_original(url):
    store = AuditStore.open(url)
    first = store.save(made(0.1))
    second = store.save(made(0.8), first)
    store.delete(first)
    assert store.load(second).audit == made(0.8)
    assert store.corrections(second).original is None
    # SQLite gives the number again: another audit is no original.
    store.save(made(0.3))
    assert store.rows([second])[0].corrected_from is None


def linked(url: str) -> set[tuple[float, float]]:
    """The scores of each corrected answer and of its original."""
    store = AuditStore.open(url)
    items = ItemStore.open(url).page(ItemFilter()).items
    return {
        (item.score, store.load(item.corrected_from).audit.score)
        for item in items
        if item.corrected_from is not None
    }


@pytest.fixture
def chain(url) -> str:
    """An original, two corrections of it, one of them corrected again; the numbers in the
    database that they are imported into differ."""
    store = AuditStore.open(url)
    store.save(made(0.5))
    first = store.save(made(0.1))
    second = store.save(made(0.6), first)
    store.save(made(0.7), first)
    store.save(made(0.9), second)
    store.delete(1)
    return url


@pytest.mark.parametrize("backwards", [False, True])
def test_a_full_export_brings_the_links_back_in_any_order(chain, tmp_path, backwards):
    other = f"sqlite:///{tmp_path / 'other.db'}"
    AuditStore.open(other).save(made(0.2))
    lines = exported(chain).splitlines()
    result = Importer.open(other).read(lines[::-1] if backwards else lines)
    assert (result.imported, result.rejected, result.unlinked) == (4, (), 0)
    assert linked(other) == linked(chain)
    assert len(linked(other)) == 3
    again = Importer.open(other).read(exported(other).splitlines())
    assert (again.imported, again.already_there, again.unlinked) == (0, 5, 0)
    assert linked(other) == linked(chain)


def test_a_correction_whose_original_is_not_in_the_file_is_kept_and_counted(chain, tmp_path):
    other = f"sqlite:///{tmp_path / 'other.db'}"
    lines = exported(chain).splitlines()
    without = [line for line in lines if json.loads(line)["item"]["corrected_from"] is not None]
    result = Importer.open(other).read(without)
    assert (result.imported, result.unlinked) == (3, 2)
    # The whole file fixes it.
    result = Importer.open(other).read(lines)
    assert (result.imported, result.already_there, result.unlinked) == (1, 3, 0)
    assert linked(other) == linked(chain)


def test_exports_of_before_there_were_corrections_are_read(chain, tmp_path):
    other = f"sqlite:///{tmp_path / 'other.db'}"
    lines = []
    for line in exported(chain).splitlines():
        row = json.loads(line)
        del row["item"]["corrected_from"], row["corrections"]
        lines.append(json.dumps(row).encode())
    result = Importer.open(other).read(lines)
    assert (result.imported, result.unlinked, result.rejected) == (4, 0, ())


@pytest.mark.parametrize(
    ("value", "reason"), [("2", "a number was expected"), (True, "number"), (5, "of itself")]
)
def test_a_damaged_link_is_rejected(chain, tmp_path, value, reason):
    row = json.loads(exported(chain).splitlines()[0])
    row["item"].update(audit_id=5, corrected_from=value)
    other = f"sqlite:///{tmp_path / 'other.db'}"
    (rejected,) = Importer.open(other).read([json.dumps(row).encode()]).rejected
    assert "item.corrected_from" in rejected.reason and reason in rejected.reason


# --- suggestions ----------------------------------------------------------------------------


def test_answers_of_other_systems_are_no_evidence(provenance):
    parameters = default_parameters(detector="selfcheck")
    audit = provenance.audit(answer=WRONG, context=[RIGHT, RIGHT], parameters=parameters)
    assert not has_evidence(audit)
    assert suggest(audit, provenance) == ()


def test_what_was_set_aside_gets_no_suggestion(provenance):
    parameters = default_parameters(detector="grounded-in-context")
    answer = f"I hope this helps! {WRONG}"
    audit = provenance.audit(answer=answer, context=CONTEXT, parameters=parameters)
    assert [found.sentence for found in audit.evidence.set_aside] == [0]
    assert {each.sentence for each in suggest(audit, provenance)} == {1}


def test_changes_are_marked_and_escaped():
    one = Suggestion(SuggestionKind.DETAIL, 0, 14, 16, "<b>", 0, 0, 5, 0.1, 0.9)
    two = Suggestion(SuggestionKind.DETAIL, 0, 17, 20, "nine", 0, 0, 5, 0.1, 0.9)
    assert changed_text("has <69> &, 12.", 10, [two, one]) == (
        "has <del><bdi>&lt;6</bdi></del> <ins><bdi>&lt;b&gt;</bdi></ins>9"
        "<del><bdi>&gt; &amp;</bdi></del> <ins><bdi>nine</bdi></ins>, 12."
    )  # fmt: skip


def test_the_table_has_old_and_new_score(url):
    store = AuditStore.open(url)
    first = store.save(made(0.1))
    store.save(made(0.8), first)
    (original,) = store.rows([first])
    html = corrections_table(original, store.corrections(first).corrected, first)
    assert "original, audit 1 (shown here)" in html and "<td>0.100</td>" in html
    assert "corrected, audit 2<" in html and "<td>0.800 (+0.700)</td>" in html


# --- the page -------------------------------------------------------------------------------


def headings(app: AppTest) -> list[str]:
    return [s.value for s in app.header]


def said(app: AppTest) -> str:
    return "\n".join(e.value for e in (*app.text, *app.caption, *app.info, *app.warning))


def boxes(app: AppTest) -> dict[str, object]:
    return {box.label: box for box in app.checkbox if box.label.startswith(("Accept", "Replace"))}


@pytest.fixture
def audited(url, provenance) -> AuditStore:
    """Two wrong sentences by the spans detector with a threshold of its own."""
    store = AuditStore.open(url)
    parameters = Parameters(detector="spans", threshold=0.45, chunk_tokens=64)
    answer = f"{WRONG} It was started in 1999 by two bakers."
    store.save(provenance.audit(query="", answer=answer, context=CONTEXT, parameters=parameters))
    return store


def test_a_corrected_answer_opens_at_the_sentence_that_was_changed(url):
    store = AuditStore.open(url)
    first = store.save(assemble(hand_evidence([1.0], [[0.9]]), Parameters()))
    longer = assemble(hand_evidence([1.0], [[0.9], [0.9]]), Parameters())
    second = store.save(longer, corrected_from=first)
    for number, opened in ((first, "pv-s0"), (second, "pv-s1")):
        app = open_page(audit=str(number))
        checked = re.findall(r'id="([\w-]+)" checked', shown_html(app))
        assert checked == [opened]


def test_a_suggestion_is_accepted_and_the_corrected_answer_kept_beside_the_original(audited):
    before = audited.load(1)
    app = open_page(audit="1")
    assert "Corrections" in headings(app) and not boxes(app)
    app = press(app, "Suggest corrections")
    html = shown_html(app)
    assert "<del><bdi>69 million</bdi></del> <ins><bdi>30 million</bdi></ins>" in html
    assert "<script>alert" not in html
    button = next(b for b in app.button if b.label == "Audit the corrected answer")
    assert button.disabled, "nothing is accepted yet"
    number = next(
        box for label, box in boxes(app).items()
        if label.startswith("Accept this replacement (S1, characters 14–24)")
    )  # fmt: skip
    number.check().run()
    assert not app.exception
    whole = [box for label, box in boxes(app).items() if "evidence's sentence (S1" in label]
    assert whole and all(box.disabled for box in whole), "it would change the same words"
    assert audited.count() == 1, "accepting alone saves nothing"

    press(app, "Audit the corrected answer")
    corrected = audited.load(2).audit
    original = before.audit
    assert corrected.evidence.answer == original.evidence.answer.replace("69", "30", 1)
    assert corrected.parameters == original.parameters
    assert corrected.evidence.profile == original.evidence.profile
    assert [i.text for i in corrected.evidence.context] == CONTEXT
    # Engines round activations by the batch, and another sentence decides the score.
    assert corrected.score >= original.score - 0.05
    assert audited.load(1) == before, "the original and its score are untouched"
    assert "2" in app.query_params["audit"]
    # The new audit is shown, in the form too, with both scores.
    assert app.text_area(key="answer").value == corrected.evidence.answer
    assert "Corrected answer" in headings(app)
    assert "original, audit 1" in shown_html(
        app
    ) and "corrected, audit 2 (shown here)" in shown_html(app)
    for audit in (original, corrected):
        assert f"{audit.score:.3f}" in shown_html(app)
    assert "form differs" not in said(app)

    back = open_page(audit="1")
    assert_shows(headings(back), snapshot("Corrections of this answer"))
    change = corrected.score - original.score
    assert f"<td>{corrected.score:.3f} ({change:+.3f})</td>" in shown_html(back)
    back.switch_page("pages/history.py").run()
    (table,) = tables(back)
    assert list(table.value["corrected from"].dropna()) == [1]


def test_the_corrected_number_makes_the_answer_supported(url, provenance):
    store = AuditStore.open(url)
    parameters = default_parameters(detector="spans")
    answer = f"{WRONG} {RIGHT}"
    store.save(provenance.audit(answer=answer, context=CONTEXT, parameters=parameters))
    assert store.load(1).audit.verdict is Verdict.HALLUCINATED
    app = press(open_page(audit="1"), "Suggest corrections")
    box = next(b for label, b in boxes(app).items() if "characters 14–24" in label)
    box.check().run()
    press(app, "Audit the corrected answer")
    assert store.load(2).audit.verdict is Verdict.SUPPORTED
    assert "Corrections" not in headings(app), "nothing is left to correct"


def test_a_sentence_is_removed_and_the_rest_audited_beside_the_original(url, provenance):
    store = AuditStore.open(url)
    answer = f"{RIGHT} Penguins juggle lemons."
    store.save(provenance.audit(answer=answer, context=CONTEXT))
    app = press(open_page(audit="1"), "Suggest corrections")
    assert_shows(
        shown_html(app),
        snapshot("No replacement: no passage that was read is close to this sentence."),
    )
    said = "Replacements found in the evidence: 0, for 0 of 1 unsupported sentence."
    assert any(said in caption.value for caption in app.caption)
    (box,) = [box for box in app.checkbox if box.label == "Remove this sentence (S2)"]
    box.check().run()
    assert "<del><bdi>Penguins juggle lemons.</bdi></del>" in shown_html(app)
    assert "<ins>" not in shown_html(app)
    press(app, "Audit the corrected answer")
    found = store.load(2).audit
    assert found.evidence.answer == RIGHT and found.verdict is Verdict.SUPPORTED
    assert store.rows([2])[0].corrected_from == 1


def test_a_bare_reply_is_told_why_nothing_can_be_replaced(url, provenance):
    audit = provenance.audit(
        query="Was the library opened in 1932?",
        answer="Yes.",
        context=["The library opened in 1912. It was rebuilt in 1932 after a fire."],
        parameters=Parameters(threshold=1.0),  # which no score reaches
    )
    AuditStore.open(url).save(audit)
    html = shown_html(press(open_page(audit="1"), "Suggest corrections"))
    assert_shows(html, snapshot("“Yes” alone has no words to replace"))
    assert_shows(html, snapshot("It is read as “The library was opened in 1932.”"))


def test_not_every_sentence_can_be_removed(url, provenance):
    answer = "Penguins juggle lemons. Whales sing at noon."
    AuditStore.open(url).save(provenance.audit(answer=answer, context=CONTEXT))
    app = press(open_page(audit="1"), "Suggest corrections")
    for place in ("S1", "S2"):
        next(b for b in app.checkbox if b.label == f"Remove this sentence ({place})").check().run()
    assert_shows(said(app), snapshot("Nothing would be left of the answer"))
    assert next(b for b in app.button if b.label == "Audit the corrected answer").disabled


def test_the_sidebar_does_not_change_what_is_corrected_or_how(audited):
    app = open_page(audit="1")
    app.slider(key="threshold").set_value(0.0).run()
    press(app, "Suggest corrections")
    next(b for label, b in boxes(app).items() if "characters 14–24" in label).check().run()
    press(app, "Audit the corrected answer")
    assert audited.load(2).audit.parameters.threshold == 0.45


def test_a_corrected_answer_that_cannot_be_saved_is_not_lost(audited, monkeypatch):
    save = AuditStore.save

    def refuse(self, audit, corrected_from=None):
        raise StorageError("The disk is full.")

    app = press(open_page(audit="1"), "Suggest corrections")
    next(b for label, b in boxes(app).items() if "characters 14–24" in label).check().run()
    monkeypatch.setattr(AuditStore, "save", refuse)
    press(app, "Audit the corrected answer")
    assert_shows(said(app), snapshot("The disk is full."))
    monkeypatch.setattr(AuditStore, "save", save)
    press(app, "Save it again")
    assert audited.rows([2])[0].corrected_from == 1


def test_when_the_original_was_deleted_meanwhile_the_corrected_answer_is_kept(audited):
    app = press(open_page(audit="1"), "Suggest corrections")
    next(b for label, b in boxes(app).items() if "characters 14–24" in label).check().run()
    from storage.audits import AuditStore as Store

    save = Store.save

    def deleted_first(self, audit, corrected_from=None):
        if corrected_from is not None:
            self.delete(corrected_from)
        return save(self, audit, corrected_from)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Store, "save", deleted_first)
        press(app, "Audit the corrected answer")
    assert "has been deleted" in said(app)
    press(app, "Save it again")
    (row,) = audited.page(ItemFilter().audits).rows
    assert row.corrected_from is None and "30 million" in row.answer


def test_a_supported_answer_has_nothing_to_correct(url, provenance):
    store = AuditStore.open(url)
    store.save(provenance.audit(answer=RIGHT, context=CONTEXT))
    app = open_page(audit="1")
    assert "Corrections" not in headings(app)
    assert any(c.value.startswith("Nothing to correct: ") for c in app.caption)
