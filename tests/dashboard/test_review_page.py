"""The Review page, run without a browser: queue, marks, blind mode, refusals, agreement."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest
from inline_snapshot import snapshot
from streamlit.testing.v1 import AppTest

from dashboard.review.draft import (
    Draft,
    add_span,
    draft_of,
    judgement_of,
    mark_span,
    next_type,
    remove_span,
    toggle_chunk,
    toggle_sentence,
    type_sentence,
)
from dashboard.review.marking import DraggedSpan, dragged_span
from provenance_core import InputError, Parameters, assemble
from provenance_core.review.checks import LABEL_KEYS
from provenance_core.review.types import (
    ChunkMark,
    FindingType,
    JudgedSentence,
    JudgedSpan,
    JudgedVerdict,
    Judgement,
)
from provenance_core.types import Sentence
from reports.review_wording import CHUNK_MARKS, JUDGED, Key
from storage import (
    AuditStore,
    ItemFilter,
    ItemOrder,
    ItemStore,
    OwnLabelStore,
    ReviewStore,
    StorageError,
)  # fmt: skip
from tests.app_page import open_page, tables, text_tables
from tests.conftest import hand_evidence, shown_html
from tests.wording import assert_shows

SCRIPT = "<script>alert(1)</script> **bold**"
S, H = JudgedVerdict.SUPPORTED, JudgedVerdict.HALLUCINATED
CONFLICT = FindingType.EVIDENT_CONFLICT


def an_audit(entailment: float):
    evidence = hand_evidence([0.1, 0.7], [[entailment, 0.1], [0.1, 0.2]])
    query = f"How tall? {SCRIPT} {entailment}"
    return assemble(replace(evidence, query=query), Parameters(threshold=0.5))


def comment_box(app):
    return next(box for box in app.text_area if box.label == "Comment")


def span_box(app):
    return next(box for box in app.text_input if box.label.startswith("Span:"))


@pytest.fixture
def store(url) -> AuditStore:
    """Three audits; the third is the closest to its threshold, then the second."""
    store = AuditStore.open(url)
    for entailment in (0.2, 0.5, 0.9):
        store.save(an_audit(entailment))
    return store


@pytest.fixture
def reviews(store) -> ReviewStore:
    return ReviewStore(store._engine)


def page(name: str = "ann", path: str = "review", **query: str) -> AppTest:
    app = open_page(path, **query)
    if name:
        app.text_input(key="reviewer").set_value(name).run()
    assert not app.exception
    return app


def press(app: AppTest, *keys: str) -> AppTest:
    for key in keys:
        app.button(key=f"review_{key}").click().run()
        assert not app.exception
    return app


def html(app: AppTest) -> str:
    """What is drawn, less the styles."""
    drawn = "\n".join(element.proto.body for element in app.get("html"))
    return re.sub("<style>.*?</style>", "", drawn, flags=re.DOTALL)


def said(app: AppTest) -> str:
    shown = (*app.error, *app.text, *app.warning, *app.info, *app.caption)
    return "\n".join(element.value for element in shown)


def shown_audit(app: AppTest) -> int:
    return app.session_state["review_trail"].current


def test_a_name_is_asked_for_first(store):
    app = page(name="")
    assert "Enter your name" in said(app)
    assert not [b for b in app.button if str(b.key).startswith("review_")]


def test_what_nothing_is_about_is_looked_for_once_an_answer_and_not_at_every_key(
    store, monkeypatch
):
    asked = []
    found = frozenset({1})
    monkeypatch.setattr(
        "dashboard.review.form.foreign_sentences", lambda audit: asked.append(audit) or found
    )
    app = page()
    number = shown_audit(app)
    press(app, "next_sentence", "previous_sentence", "sentence_supported", "next_chunk")
    assert shown_audit(app) == number
    assert_shows(html(app), snapshot("not about, but nearest to S2"))
    assert len(asked) == 1
    press(app, "skip")
    assert len(asked) == 2


def test_the_queue_is_judged_from_the_closest_on_and_kept(store, reviews):
    app = page()
    order = [shown_audit(app)]
    press(app, "verdict_hallucinated", "sentence_hallucinated", "sentence_type")
    press(app, "next_sentence", "sentence_supported", "chunk_contradicts", "answer_type")
    comment_box(app).set_value(f"No. {SCRIPT}")
    press(app, "save_next")
    saved = reviews.mine(order[0], "ann")
    assert saved.judgement == Judgement(
        H,
        CONFLICT,
        f"No. {SCRIPT}",
        (JudgedSentence(0, H, CONFLICT), JudgedSentence(1, S)),
        saved.judgement.chunks,
        blind=False,
    )
    assert [c.mark for c in saved.judgement.chunks] == [ChunkMark.CONTRADICTS]
    for _ in range(2):
        order.append(shown_audit(app))
        press(app, "verdict_supported", "save_next")
    distances = {n: abs(store.load(n).audit.score - 0.5) for n in (1, 2, 3)}
    assert order == sorted(distances, key=distances.__getitem__)
    assert_shows(said(app), snapshot("nothing left for you"))
    words = "Each of the 3 answers has a judgement. To judge more of them, raise “Judgements"
    assert words in said(app)
    assert reviews.progress(ItemFilter()).judged == 3


def test_every_key_is_on_one_button_alone(store):
    app = page()
    keys = [b.proto.shortcut for b in app.button if b.proto.shortcut]
    by_script = {Key.COMMENT, Key.SPAN}  # they lead to a box or to words, not to a button
    assert sorted(keys) == sorted(key.value.lower() for key in Key if key not in by_script)


def test_the_keys_of_any_number_of_own_labels_are_nothing_elses(url):
    AuditStore.open(url).save(an_audit(0.2))
    app, labels = page(), OwnLabelStore.open(url)
    for count, key in enumerate(LABEL_KEYS, 1):
        labels.add(f"label {key}", key.lower())
        keys = [b.proto.shortcut for b in app.run().button if b.proto.shortcut]
        assert len(keys) == len(set(keys)) == len(Key) - 2 + count, "2 are no button's"
        own = {each.key.lower() for each in labels.all()}
        assert not own & {each.value.lower() for each in Key} and own <= set(keys)
    shown = {key.lower() for marks in (JUDGED, CHUNK_MARKS) for key, _ in marks.values()}
    assert not shown & {each.lower() for each in (*LABEL_KEYS, *Key)}, "a sign reads as a key"


def offered(app) -> set[str]:
    """The keys that the cheat-sheet offers."""
    (sheet,) = re.findall(r"<table>(?:(?!</table>).)*<kbd.*?</table>", shown_html(app), re.DOTALL)
    return set(re.findall("<kbd[^>]*>(.*?)</kbd>", sheet))


def test_the_cheat_sheet_offers_the_keys_that_work_where_the_page_is(store, reviews):
    led = {Key.COMMENT.value, Key.SPAN.value}
    for query in ({}, {"audit": "2"}):
        app = page(**query)
        assert offered(app) == {*app.session_state.review_shortcuts} | led, query
    assert app.session_state.review_shortcuts["V"] == "review_save"
    reviews.save(2, "ann", Judgement(S))
    reviews.save(2, "bob", Judgement(H))
    app = page(section="Adjudication")
    assert {key.lower() for key in offered(app)} == {
        b.proto.shortcut for b in app.button if b.proto.shortcut
    }


def test_labels_of_the_team_have_keys_and_are_saved(store, reviews):
    app = page()
    app.text_input(key="own_label_name").set_value(f"outdated {SCRIPT[:20]}")
    app.button(key="FormSubmitter:own_label-Add the label").click().run()
    assert not app.exception
    press(app, "label_4", "verdict_supported", "save")
    saved = reviews.mine(shown_audit(app), "ann")
    assert saved.judgement.labels == (f"outdated {SCRIPT[:20]}",)
    app.button(key="own_label_remove_4").click().run()
    press(app, f"old_label_{saved.judgement.labels[0]}", "save")
    assert reviews.mine(shown_audit(app), "ann").judgement.labels == ()


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ({"start": 0, "end": 7}, DraggedSpan(1, 4)),
        ({"start": 1, "end": 4}, DraggedSpan(1, 4)),
        ({"start": 4, "end": 5}, None),
        ({"start": 3, "end": 99}, None),
        ({"start": "1", "end": 4}, None),
        ("1", None),
    ],
)
def test_what_a_browser_says_was_dragged_over_is_checked(given, found):
    assert dragged_span(given, " one   two") == found


@pytest.mark.parametrize(
    ("answer", "start", "end", "words"),
    [
        ("A child under twelve pays.", 9, 23, "under twelve pays"),
        ("It costs €1,200.50.", 10, 11, "1"),
        ("切符は14ユーロです。", 0, 2, "切符"),
    ],
)
def test_a_drag_marks_whole_words_where_words_have_ends(answer, start, end, words):
    found = dragged_span({"start": start, "end": end}, answer)
    assert found is not None
    assert answer[found.start : found.end] == words


def test_user_text_is_escaped(store, reviews):
    reviews.save(1, "ann", Judgement(H, comment=SCRIPT))
    for app in (page(), page(name="", path="audit", audit="1")):
        assert "&lt;script&gt;alert(1)&lt;/script&gt; **bold**" in html(app)
        assert "<script>alert" not in html(app)
        assert not any("alert(1)" in m.value for m in app.markdown)


def test_an_answer_opens_at_the_evidence_of_its_first_sentence(store):
    app = page()
    audit = store.load(shown_audit(app)).audit
    assert app.session_state.review_chunk == audit.sentences[0].evidence_chunk == 0
    assert audit.sources[0].probability < audit.sources[1].probability


def test_blind_mode_hides_the_machines_view_until_saved(store, reviews):
    app = page(blind="true")
    number = shown_audit(app)
    assert app.session_state.review_chunk == 1, "the most relevant"
    score = f"score {store.load(number).audit.score:.3f}"
    for shown in (score, "relevance", "<mark", "not_found", "contradicted", "evidence for"):
        assert shown not in html(app)
    press(app, "verdict_supported", "save")
    assert shown_audit(app) == number
    assert score in html(app)
    assert reviews.mine(number, "ann").judgement.blind
    press(app, "verdict_hallucinated", "save")
    second = reviews.mine(number, "ann")
    assert (second.version, second.judgement.blind) == (2, False), "the view was seen by then"


def test_the_machines_view_once_seen_is_not_blind(store, reviews):
    app = page()
    number = shown_audit(app)
    assert "does not count as blind" not in html(app)
    app.toggle(key="blind").set_value(True).run()
    assert_shows(html(app), snapshot("you have seen it, so your judgement does not count as blind"))
    press(app, "verdict_supported", "save")
    assert "does not count as blind" not in html(app)
    assert not reviews.mine(number, "ann").judgement.blind


def test_what_another_page_showed_is_not_judged_blind(store, reviews):
    app = page(section="Agreement")
    reviews.save(1, "bob", Judgement(S))
    app.run()
    assert "bob" in said(app) or tables(app), "Agreement shows the machine and bob"
    again = page(audit="1", blind="true")  # after a reload too
    assert_shows(
        html(again), snapshot("you have seen it, so your judgement does not count as blind")
    )
    press(again, "verdict_supported", "save")
    assert not reviews.mine(1, "ann").judgement.blind
    press(page("cid", audit="1", blind="true"), "verdict_supported", "save")
    assert reviews.mine(1, "cid").judgement.blind, "what ann saw, cid did not"


def test_a_page_opened_by_its_address_counts_for_the_name_that_the_browser_keeps(
    store, reviews, monkeypatch
):
    monkeypatch.setattr("dashboard.shared.seen_audits.remembered_name", lambda: "ann")
    assert tables(open_page("history")), "a session of its own, in which nobody gave a name"
    again = page(audit="1", blind="true")
    assert "does not count as blind" in html(again)
    assert "does not count as blind" not in html(page("cid", audit="1", blind="true"))


def test_nothing_is_saved_without_a_verdict_and_nothing_is_lost(store, reviews):
    app = page()
    number = shown_audit(app)
    press(app, "sentence_supported")
    comment_box(app).set_value("Look again.")
    press(app, "save_next")
    assert "Choose a verdict" in said(app)
    assert shown_audit(app) == number and reviews.of(number) == ()
    assert comment_box(app).value == "Look again."
    press(app, "verdict_supported", "save")
    kept = reviews.mine(number, "ann").judgement
    assert (kept.comment, len(kept.sentences)) == ("Look again.", 1)


def test_a_save_that_fails_loses_nothing(store, reviews, monkeypatch):
    app = page()
    number = shown_audit(app)
    press(app, "verdict_hallucinated")
    comment_box(app).set_value("Mine.")

    def refuse(self, *given):
        raise StorageError("The disk is full.")

    with monkeypatch.context() as patch:
        patch.setattr(ReviewStore, "save", refuse)
        press(app, "save_next")
        assert "What you entered is still here" in said(app) and "The disk is full." in said(app)
    app.switch_page("pages/history.py").run()
    app.switch_page("pages/review.py").run()
    assert app.text_input(key="reviewer").value == "ann"
    assert comment_box(app).value == "Mine."
    press(app, "save_next")
    assert reviews.mine(number, "ann").judgement == Judgement(H, comment="Mine.")


def test_skip_gives_the_answer_back_and_previous_returns_with_the_draft(store, reviews):
    app = page()
    first = shown_audit(app)
    press(app, "verdict_supported", "skip")
    second = shown_audit(app)
    assert second != first
    closest = reviews.reserve_next(ItemFilter(), ItemOrder.CLOSEST, "bob")
    assert closest.audit_id == first, "it is free again"
    press(app, "previous")
    assert shown_audit(app) == first
    press(app, "save_next")
    assert_shows(
        said(app),
        snapshot("Your reservation of this answer had expired and another reviewer received it."),
    )
    assert reviews.mine(first, "ann").judgement.verdict is S
    assert shown_audit(app) == second
    press(app, "skip", "previous", "save")
    assert "Choose a verdict" in said(app) and "another reviewer" not in said(app)
    press(app, "skip", "skip")
    assert "nothing left" in said(app)
    assert_shows(said(app), snapshot("Of 3 answers, 2 still need a judgement:"))
    next(b for b in app.button if "skipped answers again" in b.label).click().run()
    assert shown_audit(app) in {1, 2, 3} - {first}


def test_previous_is_disabled_and_says_why_where_the_session_has_nothing_before(store):
    def previous(app):
        return app.button(key="review_previous")

    app = page()
    assert previous(app).disabled and "the first answer of this session" in previous(app).help
    press(app, "verdict_supported", "save_next")
    assert not previous(app).disabled and not previous(app).help
    press(app, "previous")
    assert previous(app).disabled
    assert previous(page()).disabled, "a session that begins anew"


def test_a_reservation_that_ran_out_is_said_and_both_judgements_are_kept(store, reviews):
    app = page()
    number = shown_audit(app)
    url = store._engine.url.database
    with closing(sqlite3.connect(url)) as connection, connection:
        connection.execute("UPDATE reservations SET expires_at = '2000'")
    assert reviews.reserve_next(ItemFilter(), ItemOrder.CLOSEST, "bob").audit_id == number
    press(app, "verdict_supported", "save_next")
    assert "had expired" in said(app) and "both are kept" in said(app)
    reviews.save(number, "bob", Judgement(H))
    assert {r.reviewer for r in reviews.latest(number)} == {"ann", "bob"}


def test_two_reviewers_are_given_different_answers_unless_two_are_wanted(store):
    ann = page("ann")
    assert shown_audit(page("bob")) != shown_audit(ann)
    assert shown_audit(page("cid", opinions="2")) == shown_audit(ann)


def test_spans_by_their_exact_words(store, reviews):
    app = page()
    number = shown_audit(app)
    press(app, "verdict_hallucinated")
    span_box(app).set_value("nowhere in it").run()
    assert_shows(said(app), snapshot("does not contain these exact words: 'nowhere in it'"))
    assert span_box(app).value == "nowhere in it"
    press(app, "save")
    assert "Or clear the span box" in said(app) and reviews.of(number) == ()
    span_box(app).set_value("number").run()
    assert span_box(app).value == ""
    assert '<mark class="pv-span">number</mark>' in html(app)
    span_box(app).set_value("Claim")
    press(app, "save")
    assert reviews.mine(number, "ann").judgement.spans == (
        JudgedSpan(0, 5, CONFLICT),
        JudgedSpan(6, 12, CONFLICT),
    )
    app.button(key="review_span_0").click().run()
    press(app, "save")
    assert reviews.mine(number, "ann").judgement.spans == (JudgedSpan(6, 12, CONFLICT),)


def test_a_link_reviews_one_audit(store, reviews):
    app = page(audit="2")
    assert not [b for b in app.button if b.key == "review_skip"]
    press(app, "verdict_supported", "save")
    assert reviews.mine(2, "ann").judgement.verdict is S
    next(b for b in app.button if b.label == "Go to the queue").click().run()
    assert "audit" not in app.query_params
    assert shown_audit(app) != 2


@pytest.mark.parametrize("link", ["abc", "99"])
def test_a_bad_link_says_so(store, link):
    app = page(audit=link)
    assert "cannot be shown" in said(app)


def test_an_answer_deleted_meanwhile_is_passed_over(store):
    app = page()
    number = shown_audit(app)
    store.delete(number)
    app.run()
    assert f"no audit {number}" in said(app)
    next(b for b in app.button if "Continue with" in b.label).click().run()
    assert not app.exception and shown_audit(app) not in {None, number}


def test_the_audit_shows_every_version_and_the_history_counts_them(store, reviews):
    reviews.save(1, "ann", Judgement(S, comment="First."))
    reviews.save(1, "ann", Judgement(H, CONFLICT, spans=(JudgedSpan(0, 5, CONFLICT),)))
    reviews.save(1, "bob", Judgement(S, blind=True))
    app = page(name="", path="audit", audit="1")
    shown = html(app)
    shown = re.sub("</?bdi>", "", shown)
    for text in ("ann: ✓ Supported", "ann: ✗ Hallucinated", "bob: ✓", "First.", "<q>Claim</q>"):
        assert text in shown
    assert_shows(said(app), snapshot("The same reviewer replaced it with a later version."))
    app = page(name="", path="history", open="1")
    app.button(key="delete_1").click().run()
    assert_shows(
        said(app), snapshot("and with 2 judgements and 1 earlier version. This cannot be undone")
    )
    app.button(key="confirm_delete").click().run()
    assert reviews.of(1) == ()


def test_agreement_has_a_row_for_each_reviewer_and_pair(store, reviews):
    app = page(name="", section="Agreement")
    assert_shows(said(app), snapshot("has been judged yet"))
    for number, one, other in ((1, H, H), (2, S, H), (3, S, S)):
        sentences = (JudgedSentence(0, one), JudgedSentence(1, H))
        reviews.save(number, "ann", Judgement(one, sentences=sentences))
        reviews.save(number, "bob", Judgement(other, sentences=sentences))
    app = page(name="", section="Agreement")
    assert "judge_missing" not in {button.key for button in app.button}
    machine, pairs = text_tables(app)
    assert [row["reviewer"] for row in machine] == snapshot(
        ["ann", "bob", "majority of the reviewers"]
    )
    assert [row["n"] for row in pairs] == ["3"]
    assert pairs[0]["raw agreement"] == "0.667"
    assert pairs[0]["kappa"] == "–" and pairs[0]["note"].startswith("Too few for kappa: 3 answers")
    assert "No reviewer marked a hallucination" in said(app), "a table would have no figure"
    assert pairs[0]["95 % interval"] == "–" and "audits" not in pairs[0]
    app.get("button_group")[1].set_value("sentences").run()
    assert text_tables(app)[1][0]["n"] == "6"


def test_agreement_leads_to_the_answers_that_lack_a_judgement(store, reviews):
    for number, names in ((1, ("ann", "bob")), (2, ("ann",))):
        for name in names:
            reviews.save(number, name, Judgement(S))
    app = page(name="", section="Agreement")
    assert_shows(said(app), snapshot("2 of 3 answers have fewer than two judgements"))
    reviews.save(3, "ann", Judgement(S))
    reviews.save(3, "cleo", Judgement(S))
    app.run()
    assert_shows(said(app), snapshot("1 of 3 answers has fewer than two judgements"))
    assert app.button(key="judge_missing").label == "Judge it"
    app.text_input(key="reviewer").set_value("bob").run()
    app.button(key="judge_missing").click().run()
    assert not app.exception
    assert app.selectbox(key="opinions").value == 2
    # The second, which bob has not judged.
    assert "Comment" in {box.label for box in app.text_area}


def progress_text(app: AppTest) -> str:
    (bar,) = app.get("progress")
    return bar.proto.text


def test_a_second_reviewer_learns_what_the_queue_passes_over_and_how_to_get_it(store, reviews):
    for number, name in ((3, "ann"), (2, "ann"), (2, "bob")):
        reviews.save(number, name, Judgement(S))
    bob = page("bob")
    assert shown_audit(bob) == 1, "3 is ann's, and bob has judged 2"
    assert progress_text(bob) == snapshot("2 of 3 answers judged, 1 by you, 1 by others only")
    assert_shows(said(bob), snapshot("The queue skips what others have judged."))
    bob.selectbox(key="opinions").set_value(2).run()
    assert shown_audit(bob) == 3, "the closest to its threshold that bob has not judged"
    assert progress_text(bob) == snapshot("1 of 3 answers judged by 2 reviewers or more, 1 by you")
    assert "skips what others" not in said(bob)
    assert progress_text(page("ann")) == snapshot("2 of 3 answers judged, 2 by you")
    assert progress_text(page("")) == snapshot("2 of 3 answers judged")


def test_the_keys_of_the_marks_have_their_words_on_the_page(store):
    shown = shown_html(page())
    for text in ("Q</kbd> supported", "W</kbd> hallucinated", "E</kbd> cannot tell"):
        assert text in shown
    for text in ("A</kbd> supports", "S</kbd> contradicts", "D</kbd> irrelevant"):
        assert text in shown


def test_a_disagreement_has_each_reviewers_verdict_beside_the_machines(store, reviews):
    machine = {row.audit_id: row.verdict for row in ItemStore.open().page(ItemFilter()).items}
    for number, said in machine.items():
        other = H if said == "supported" else S
        reviews.save(number, "ann", Judgement(other))
        reviews.save(number, "bob", Judgement(JudgedVerdict(said)))
        reviews.save(number, "cy", Judgement(other))
    (table,) = (each.value for each in tables(page(name="", section="Agreement")))
    assert list(table.columns)[:3] == ["machine", "reviewers", "answer"]
    for by_machine, by_people in zip(table["machine"], table["reviewers"], strict=True):
        expected = {"✓": "✓ bob · ✗ ann, cy", "✗": "✓ ann, cy · ✗ bob"}[by_machine[0]]
        assert by_people == expected


def test_drafts_change_as_entered():
    draft = toggle_sentence(Draft(), 1, S)
    draft = type_sentence(toggle_sentence(draft, 0, H), 0, CONFLICT)
    assert draft.sentences == (JudgedSentence(0, H, CONFLICT), JudgedSentence(1, S))
    assert toggle_sentence(draft, 0, S).sentence(0) == JudgedSentence(0, S, CONFLICT)
    assert toggle_sentence(draft, 0, H).sentence(0) is None
    assert type_sentence(draft, 5, CONFLICT) == draft
    draft = toggle_chunk(toggle_chunk(draft, 2, ChunkMark.SUPPORTS), 1, ChunkMark.IRRELEVANT)
    assert [c.index for c in draft.chunks] == [1, 2]
    assert toggle_chunk(draft, 2, ChunkMark.SUPPORTS).chunk(2) is None
    kinds, kind = [], None
    for _ in range(7):
        kind = next_type(kind)
        kinds.append(kind)
    assert kinds == [*FindingType, None]
    with pytest.raises(InputError, match="Choose a verdict"):
        judgement_of(draft, blind=False)
    judged = judgement_of(replace(draft, verdict=S), blind=True)
    assert judged.blind and draft_of(judged) == replace(draft, verdict=S)


def test_the_same_words_twice_are_marked_one_after_the_other():
    sentence = Sentence(3, 10, 25, "one and one. ")
    draft = add_span(Draft(), sentence, " one ", CONFLICT)
    draft = add_span(draft, sentence, "one", CONFLICT)
    assert draft.spans == (JudgedSpan(10, 13, CONFLICT), JudgedSpan(18, 21, CONFLICT))
    with pytest.raises(InputError, match="already"):
        add_span(draft, sentence, "one", CONFLICT)
    for words in ("two", " "):
        with pytest.raises(InputError, match="Sentence 4 does not contain"):
            add_span(draft, sentence, words, CONFLICT)
    assert remove_span(draft, draft.spans[0]).spans == draft.spans[1:]
    assert mark_span(draft, 10, 13, CONFLICT).spans == draft.spans[1:], "again takes it back"
