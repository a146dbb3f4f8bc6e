"""Reports as one file: nothing is loaded, nothing of a user's runs, and the figures are right."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import shutil
from dataclasses import replace
from html import escape
from html.parser import HTMLParser

import pytest
from inline_snapshot import snapshot
from playwright.sync_api import sync_playwright

from dashboard.batch.rows import _ORDERED, _ORDERS
from dashboard.review.markup import review_markup
from provenance_core import Audit, Parameters, Verdict, default_parameters
from provenance_core.audit.assembly import assemble
from provenance_core.explain.verdict import verdict_sentence
from provenance_core.files.types import BatchRow
from provenance_core.review.types import JudgedSpan, JudgedVerdict, Judgement, Review
from provenance_core.statistics.bootstrap import bootstrap_auc
from provenance_core.types import ClaimAggregation, FindingType, VerdictState
from reports.audit_report import audit_report
from reports.glossary import tooltip
from reports.items_report import ItemCounts, VerdictCount, _Truth, build_items_report, items_report
from reports.score_steps import answer_text
from reports.wording import few_labels_text, moment_text
from storage import (
    AuditFilter,
    AuditStore,
    GoldLabelStore,
    Item,
    ItemFilter,
    NewRun,
    Reviewed,
    ReviewStore,
    RunStore,
)  # fmt: skip
from tests.conftest import APP, hand_evidence
from tests.exports_data import NOW, SCRIPT, a_review, an_audit, fill
from tests.wording import assert_shows

RUN = ItemFilter(runs=(1,))
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")


class Page(HTMLParser):
    """Tags, attributes, the scripts' texts and the visible text of a document."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.scripts: list[str] = []
        self.data = ""
        self.policy = ""
        self.text = ""
        self._kind = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        given = dict(attrs)
        self.attributes += attrs
        if given.get("http-equiv") == "Content-Security-Policy":
            self.policy = given["content"]
        if tag in ("script", "style"):
            self._kind = "data" if given.get("type") == "application/json" else tag
            if self._kind == "script":
                self.scripts.append("")

    def handle_endtag(self, tag):
        self._kind = ""

    def handle_data(self, data):
        if self._kind == "script":
            self.scripts[-1] += data
        elif self._kind == "data":
            self.data += data
        elif not self._kind:
            self.text += data


def assert_nothing_is_loaded_or_run(page: Page) -> None:
    assert "default-src 'none'" in page.policy
    assert not {"img", "link", "iframe", "object", "embed", "base", "form"} & set(page.tags)
    names = {name for name, _ in page.attributes}
    assert not {"src", "href", "srcset", "action"} & names
    assert not [name for name in names if name.startswith("on")]
    for script in page.scripts:
        digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in page.policy, "a script that the policy does not know"
        assert "alert(1)" not in script
    assert "unsafe-inline" not in re.sub(r"style-src [^;]*", "", page.policy)


@pytest.fixture(scope="module")
def filled(tmp_path_factory) -> str:
    url = f"sqlite:///{tmp_path_factory.mktemp('reports') / 'reports.db'}"
    fill(url)
    return url


def hostile_audit() -> Audit:
    """An audit with a script in every text that a user or a file can give."""
    audit = an_audit(0.9, 0.2, contradiction=0.7)
    evidence = audit.evidence
    answer = f"Claim {SCRIPT}. Claim two."
    sentences = (
        replace(evidence.sentences[0], end=len(answer) - 10, text=answer[:-10]),
        replace(evidence.sentences[1], start=len(answer) - 10, end=len(answer), text="Claim two."),
    )
    chunk = replace(evidence.chunks[0], text=SCRIPT, end=len(SCRIPT))
    evidence = replace(
        evidence,
        answer=answer,
        sentences=sentences,
        claims=tuple(replace(c, text=SCRIPT) for c in evidence.claims),
        context=(replace(evidence.context[0], text=SCRIPT), evidence.context[1]),
        chunks=(chunk,),
        nli_model=replace(evidence.nli_model, model_id=SCRIPT, revision=SCRIPT, sha256=SCRIPT),
        profile=SCRIPT,
    )
    return replace(
        audit,
        evidence=evidence,
        sources=tuple(replace(s, chunk=chunk) for s in audit.sources),
        sentences=tuple(
            replace(t, sentence=s) for t, s in zip(audit.sentences, sentences, strict=True)
        ),
    )


def hostile_review() -> Review:
    return a_review(
        1, SCRIPT, "hallucinated", comment=SCRIPT, blind=True,
        spans=(JudgedSpan(0, 30, FindingType.EVIDENT_CONFLICT),),
    )  # fmt: skip


def test_no_text_of_a_user_runs_in_the_report_of_an_audit():
    page = Page(audit_report(hostile_audit(), [hostile_review()]))
    assert_nothing_is_loaded_or_run(page)
    assert "script" not in page.tags
    # Query, answer, context, claims, notice, model, profile, reviewer, comment and marked span.
    assert page.text.count("<script>alert(1)") >= 10


def test_the_report_of_an_audit_has_evidence_and_judgements():
    audit = an_audit(0.9, 0.2, contradiction=0.7)
    text = Page(audit_report(audit, [hostile_review()])).text
    assert "Supported by C1" in text and "The model reads a contradiction in C1" in text
    assert "cannot tell" not in text and "evident conflict" in text
    assert_shows(text, snapshot("judged without seeing the machine's view"))
    assert "No reviewer has judged this answer." not in text
    assert_shows(Page(audit_report(audit)).text, snapshot("No reviewer has judged this answer."))


def test_no_text_of_a_user_runs_in_the_report_of_items(filled):
    chosen = ItemFilter(runs=(1,), task=SCRIPT, audits=AuditFilter(text="claim"))
    page = Page(items_report(build_items_report(chosen, url=filled)))
    assert_nothing_is_loaded_or_run(page)
    assert len(page.scripts) == 2 and page.tags.count("script") == 3, "plotly.js is there once"
    assert set(json.loads(page.data)) == {"histogram", "roc-1"}
    # Title, run, file, filter, query and model.
    assert page.text.count("<script>alert(1)") >= 6


def test_the_report_of_a_run_calls_rejected_what_the_page_does(filled):
    text = " ".join(Page(items_report(build_items_report(RUN, url=filled))).text.split())
    (run,) = build_items_report(RUN, url=filled).runs
    assert f"{run.progress.failed} failed, {run.progress.rejected} rejected from the file" in text
    assert "could not be read" not in text


def test_an_answer_that_was_audited_twice_is_said_to_count_twice(filled):
    chosen = ItemFilter()
    once = build_items_report(chosen, url=filled).counts
    store = AuditStore.open(filled)
    store.save(an_audit(0.9, 0.2, query="twice"))
    store.save(an_audit(0.9, 0.2, query="twice"))
    report = build_items_report(chosen, url=filled)
    assert (report.counts.items, report.counts.answers) == (once.items + 2, once.answers + 1)
    said = Page(items_report(report)).text
    assert f"audits of {report.counts.answers} answers: one that was audited several times" in (
        " ".join(said.split())
    )


def test_counts_left_out_items_and_reasons(filled):
    report = build_items_report(RUN, most_items=2, url=filled)
    assert (report.counts.items, len(report.items), report.left_out) == (3, 2, 1)
    supported, hallucinated = report.counts.by_verdict
    assert (supported.verdict, supported.items, supported.supported) == (Verdict.SUPPORTED, 2, 2)
    assert (hallucinated.items, hallucinated.hallucinated) == (1, 1)
    assert (report.counts.reviewed, report.counts.overruled, report.counts.undecided) == (1, 0, 0)
    assert sum(map(sum, report.histogram.values())) == 3
    assert [made.items for made in report.made_with] == [3]
    labels, said = report.rankings
    assert (labels.auc, labels.n, labels.base_rate) == (1.0, 3, pytest.approx(2 / 3))
    assert said.auc is None and "is hallucinated, and a ranking needs both" in said.reason
    page = items_report(report)
    text = " ".join(Page(page).text.split())
    assert "Listed are the first 2 of 3 items" in text and "Left out: 1." in text
    assert "n = 3, base rate 0.667" in text and said.reason.removeprefix("no") in text


@pytest.mark.parametrize(("n", "said"), [(9, "Only 9 labelled answers"), (50, "")])
def test_a_figure_of_few_items_says_so_before_it_is_named(filled, n, said):
    """By the rule of the Thresholds page."""
    report = build_items_report(RUN, url=filled)
    labels, _ = report.rankings
    text = Page(items_report(replace(report, rankings=(replace(labels, n=n),)))).text
    before, figure, _ = " ".join(text.split()).partition("ROC AUC 1.000")
    assert figure
    few = few_labels_text(n)
    assert few.startswith(said) and bool(few) is bool(said)
    assert ("labelled answers: with fewer than" in before) is bool(said) and few in before


def test_the_items_of_a_report_name_their_flagged_sentences_with_mistakes_first(url):
    runs = RunStore.open(url)
    rows = [BatchRow(i, "q", ("a",), "b", label=label) for i, label in ((1, 1), (2, 1), (3, 0))]
    new = NewRun("mistakes", "f", "rows", (), "embedded", an_audit(0.5).parameters)
    run = runs.create(new, rows, [])
    runs.take(run, "w")
    for entailment in (0.9, 0.1, 0.8):
        assert runs.finish(runs.next_row(run).id, "w", an_audit(entailment))
    report = build_items_report(ItemFilter(runs=(run,)), url=url)
    found = [(row.audit.item.line, str(row.audit.mistake or "")) for row in report.items]
    assert found == [(3, "miss"), (2, "false alarm"), (1, "")]
    assert [len(row.sentences) for row in report.items] == [0, 1, 0]
    (flagged,) = report.items[1].sentences
    page = items_report(report)
    assert f"S1 ? not found:</b> {flagged.sentence.text.strip()}" in page
    assert '<td class="state hallucinated"><b>✗ Hallucinated</b>' in page
    assert "1 of 1 flagged" in page and "miss</b>" in page


def test_the_guide_and_the_report_say_the_order_of_mistakes_as_the_page_does(filled):
    told = _ORDERED[next(iter(_ORDERS))]
    guide = APP.parent / "docs" / "how-to" / "own-data.md"
    assert told in " ".join(guide.read_text(encoding="utf-8").split())
    report = " ".join(Page(items_report(build_items_report(RUN, url=filled))).text.split())
    kinds = ("misses", "false alarms", "found hallucinations", "then the others as in the")
    for text in (told, report[report.index("Misses (labelled") :].lower()):
        places = [text.index(kind) for kind in kinds]
        assert places == sorted(places)


def test_the_words_of_a_verdict_with_flagged_sentences_are_the_same_everywhere(url):
    evidence = hand_evidence([0.0, 1.0], [[0.9, 0.2], [0.1, 0.3]])
    parameters = Parameters(top_p=1.0, claim_aggregation=ClaimAggregation.MEAN)
    number = AuditStore.open(url).save(assemble(evidence, parameters))
    AuditStore.open(url).save(an_audit(0.9))
    review = ReviewStore.open(url).save(number, "ann", Judgement(JudgedVerdict.SUPPORTED))
    audit = AuditStore.open(url).load(number).audit
    assert audit.state is VerdictState.FLAGGED and review.machine_flagged == 1
    words = f"! Supported, with flagged sentences · score {audit.score:.3f} / 0.500"
    said = " ".join(Page(audit_report(audit, (review,))).text.split())
    assert f"machine verdict then: {words}" in said
    assert f"machine verdict then: {words}" in review_markup(review, audit)
    # An old judgement that names no labels says no more than the verdict.
    old = replace(review, machine_labels=())
    assert old.machine_flagged is None and "machine verdict then: ✓ Supported ·" in review_markup(
        old, audit
    )
    counts = build_items_report(ItemFilter(), url=url).counts
    assert counts.by_verdict[0].flagged == 1
    said = Page(items_report(build_items_report(ItemFilter(), url=url))).text
    assert_shows(said, snapshot("Supported (1 with flagged sentences)"))


def test_without_labels_the_report_says_why_there_is_no_figure(filled):
    report = build_items_report(ItemFilter(audits=AuditFilter(text="no such text")), url=filled)
    assert report.counts.items == 0 and report.histogram == {}
    page = Page(items_report(report))
    assert_shows(page.text, snapshot("No AUC: there is no item with a label of a file."))
    assert_shows(page.text, snapshot("query, answer or context contains: no such text"))
    assert json.loads(page.data) == {} and 'id="histogram"' not in items_report(report)


def test_the_interval_is_drawn_over_groups(tmp_path):
    url = f"sqlite:///{tmp_path / 'groups.db'}"
    runs = RunStore.open(url)
    entailments = (0.9, 0.2, 0.8, 0.6, 0.7, 0.1)
    rows = [
        BatchRow(i, "q", ("a",), "b", label=i % 2, group=f"g{i % 3}")
        for i in range(1, len(entailments) + 1)
    ]
    profile = an_audit(0.5).parameters
    run = runs.create(NewRun("groups", "f", "rows", (), "embedded", profile), rows, [])
    runs.take(run, "w")
    for entailment in entailments:
        assert runs.finish(runs.next_row(run).id, "w", an_audit(entailment))
    report = build_items_report(ItemFilter(runs=(run,)), url=url)
    ranking = report.rankings[0]
    in_file = sorted((row.audit.item for row in report.items), key=lambda item: item.line)
    scores = [item.score for item in in_file]
    assert ranking.groups == 3
    assert ranking.interval == bootstrap_auc(
        [row.label for row in rows], scores, [row.group for row in rows]
    )


def test_scores_of_several_detectors_are_not_ranked_with_each_other():
    truth = _Truth("the labels of the file", "item")
    for number, detector in enumerate(("two-stage", "summac", "summac", "two-stage")):
        item = Item(**{**dict.fromkeys(Item.__slots__), "audit_id": number})
        item = replace(item, score=0.2 * number, group="", detector=detector)
        truth.add(item, number % 2)
    found = truth.ranking()
    assert (found.auc, found.interval, found.curve, found.n) == (None, None, None, 4)
    assert_shows(found.reason, snapshot("several detectors (SummaC, Two-stage)"))
    truth.detectors = {"summac"}
    assert truth.ranking().auc is not None


def test_agreement_of_the_reviewers_is_in_the_report(filled):
    report = build_items_report(ItemFilter(), url=filled)
    rows = dict(report.agreement)
    assert rows["ann and bob"].n == 1 and rows["ann and bob"].raw == 1.0
    assert rows["bob and the machine"].raw == 0.0, "the machine had said supported"
    assert "Cohen" in Page(items_report(report)).text


def test_what_reviewers_said_of_an_item_is_in_the_report(url):
    store, reviews = AuditStore.open(url), ReviewStore.open(url)
    store.save(an_audit(0.9))
    verdict = JudgedVerdict.HALLUCINATED
    reviews.save(1, "Ann", Judgement(verdict, comment=f"page 2 {SCRIPT}", labels=("off topic",)))
    GoldLabelStore.open(url).save(1, "Cy", verdict, "as Ann says")
    store.save(an_audit(0.8, 0.8), 1, corrected_by="Bob")
    report = build_items_report(ItemFilter(reviewed=Reviewed.REVIEWED), url=url)
    text = " ".join(Page(items_report(report)).text.split())
    assert report.counts.items == 1
    assert_shows(
        text, snapshot(f"Ann: ✗ hallucinated, labels: off topic, comment: page 2 {SCRIPT}")
    )
    assert_shows(text, snapshot("gold label: ✗ Hallucinated, decided by Cy on"))
    assert_shows(text, snapshot("corrected in audit 2 by Bob: Claim number 0. Claim number 1."))
    assert "Gold labels decide" not in text and "A gold label decides" not in text
    reviews.save(1, "Bob", Judgement(JudgedVerdict.SUPPORTED))
    settled = Page(items_report(build_items_report(ItemFilter(runs=()), url=url))).text
    assert_shows(
        " ".join(settled.split()),
        snapshot(
            "Neither: 0. A gold label decides 1 item that has no majority of the reviewers, or"
            " another one."
        ),
    )
    review = reviews.of(1)[0]
    alone = Page(audit_report(store.load(1).audit, [review])).text
    assert_shows(alone, snapshot("Labels: off topic"))


def test_the_report_of_an_audit_goes_from_the_verdict_to_the_settings(provenance):
    audit = provenance.audit(
        query="How tall is the mast?",
        answer="The mast is 30 m tall. It is red.",
        context=["The mast is 20 m tall.", "The mast is red."],
    )
    page = audit_report(audit)
    text = " ".join(Page(page).text.split())
    order = (
        verdict_sentence(audit), "Answer", "Sentences and their evidence", "Sources", "chunks",
        "How the score came about", answer_text(audit), "claim 1 =", "How it was made",
        "Settings that the score depends on", "Models", "Size and time",
    )  # fmt: skip
    places = []
    for each in order:
        places.append(text.find(each, places[-1] if places else 0))
    assert -1 not in places and places == sorted(places)
    assert moment_text(audit.created_at) in text
    assert not re.search(r"\d{4}-\d\d-\d\d|T\d\d:\d\d", text), "dates are for people"
    assert not re.search(r"[{}\[]\"|\": |_[a-z]+ =|None|SupportTerm", text), "no JSON, no code"


def test_each_column_of_the_sources_is_explained(provenance):
    audit = provenance.audit(answer="It is red.", context=["The mast is red."])
    page = audit_report(audit)
    sources = page.split("<h2>Sources</h2>")[1].split("<h2>")[0]
    columns = re.findall(r"<th[^>]*>([^<]+)</th>", sources.split("</thead>")[0])
    explained = dict(re.findall(r"<dt>([^<]+)</dt><dd>([^<]+)</dd>", sources))
    assert set(columns) - {"text"} == set(explained) and len(explained) == 8
    assert explained["factuality"] == escape(tooltip("factuality"), quote=False).replace(
        "'", "&#39;"
    )
    # A method that measures no relevance has no column of it.
    plain = provenance.audit(
        answer="It is red.",
        context=["The mast is red."],
        parameters=default_parameters(detector="summac"),
    )
    assert ">relevance<" not in audit_report(plain)


def test_settings_of_many_audits_are_in_words(filled):
    page = items_report(build_items_report(RUN, url=filled))
    made = page.split("<h2>How it was made</h2>")[1].split("<script")[0]
    text = " ".join(Page(made).text.split())
    assert "Threshold0.500 The verdict is" in text and "Items3 How many" in text
    assert "{" not in text and "SupportTerm" not in text
    assert "2 January 2026" in Page(page).text and NOW[:10] not in page


@pytest.mark.browser
@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")
@pytest.mark.parametrize("count", [2, 40])
def test_no_table_of_an_audit_runs_over_the_edge_of_a_telephone(provenance, tmp_path, count):
    context = [f"Part {i} of the mast, {'x' * 90}, is {i} m tall." for i in range(count)]
    audit = provenance.audit(answer="The mast is 30 m tall. It is red.", context=context)
    file = tmp_path / "report.html"
    file.write_text(audit_report(audit), encoding="utf-8")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 390, "height": 844})
        page.goto(file.as_uri())
        over = page.evaluate(
            """() => [...document.querySelectorAll("table")].filter(table => {
              const box = table.closest(".wide") ?? table;
              return box.getBoundingClientRect().right > innerWidth;
            }).length"""
        )
        wide = page.evaluate("document.documentElement.scrollWidth")
        # What scrolls within itself is reached by Tab, and has a name.
        region = page.get_by_role("region")
        name = region.get_attribute("aria-label")
        page.keyboard.press("Tab")
        focused = region.evaluate("e => e === document.activeElement")
        page.keyboard.press("End" if count == 2 else "ArrowRight")
        page.wait_for_timeout(300)
        moved = region.evaluate("e => e.scrollLeft")
        browser.close()
    assert (over, wide, focused) == (0, 390, True)
    assert name == snapshot("Support, sentences by chunks")
    assert count == 2 or moved > 0


@pytest.mark.browser
@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_report_opens_from_disk_in_a_browser(filled, tmp_path, scheme):
    file = tmp_path / "report.html"
    file.write_text(items_report(build_items_report(RUN, url=filled)), encoding="utf-8")
    said: list[str] = []
    asked: list[str] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page(color_scheme=scheme)
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("dialog", lambda dialog: (said.append(dialog.message), dialog.dismiss()))
        page.on("request", lambda request: asked.append(request.url))
        page.goto(file.as_uri(), timeout=180_000)
        # plotly.js draws each figure on several layers.
        page.locator("#roc-1 .main-svg").first.wait_for(timeout=180_000)
        ink = page.locator("#histogram .xtick text").first.evaluate("e => e.style.fill")
        page.set_viewport_size({"width": 390, "height": 800})
        page.wait_for_timeout(500)
        wide = page.evaluate("document.documentElement.scrollWidth")
        browser.close()
    assert asked == [file.as_uri()] and said == []
    assert wide == 390, "nothing is cut off on a telephone"
    assert ink == {"light": "rgb(34, 34, 34)", "dark": "rgb(238, 238, 238)"}[scheme]


def test_misses_and_false_alarms_are_counted_in_words():
    rows = (
        VerdictCount(Verdict.SUPPORTED, supported=5, hallucinated=1, unlabelled=9),
        VerdictCount(Verdict.HALLUCINATED, supported=2, hallucinated=4, unlabelled=0),
    )
    assert ItemCounts(21, rows, 0, 0, 0, 21).mistakes == snapshot(
        "By the labels, 4 of 5 hallucinated answers are caught, 1 missed (called supported); 2 of "
        "7 supported answers are false alarms (called hallucinated)."
    )
    right = (VerdictCount(Verdict.SUPPORTED, 3, 0, 0), VerdictCount(Verdict.HALLUCINATED, 0, 1, 0))
    assert ItemCounts(4, right, 0, 0, 0, 4).mistakes == snapshot(
        "Every verdict agrees with its label (4 labelled)."
    )
    unlabelled = (VerdictCount(Verdict.SUPPORTED, 0, 0, 3),)
    assert ItemCounts(3, unlabelled, 0, 0, 0, 3).mistakes == ""
