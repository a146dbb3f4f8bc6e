"""Shared by the tests: the shipped models, and evidence and scores built by hand."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import HealthCheck, settings

from provenance_core import Provenance
from provenance_core.detectors import Detector
from provenance_core.evaluation.scoring import write_scored_set
from provenance_core.evaluation.types import DENSE_EXPERIMENTS, Column, Method, ScoredSet
from provenance_core.models.catalogue.profiles import Profile
from provenance_core.statistics.types import ScoredRow, SkipReason, SpanCounts
from provenance_core.types import (
    Chunk,
    Claim,
    ClaimForm,
    ContextItem,
    Evidence,
    EvidenceSentence,
    ModelInfo,
    PairScores,
    Sentence,
)
from storage.engine import dispose_engine, get_engine

if TYPE_CHECKING:
    # Not in the environment of the integrations.
    from plotly.graph_objects import Figure
    from streamlit.testing.v1 import AppTest

# A busy machine is no fault of the code: no test of random texts fails by the clock.
settings.register_profile("repository", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("repository")
pytest.register_assert_rewrite("tests.wording")  # its failures show both sentences
APP = Path(__file__).parents[1] / "app.py"


@pytest.fixture(scope="session", autouse=True)
def small_profile() -> Iterator[None]:
    """Tests use the small models where they name no profile; the cascade has tests of its own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PROVENANCE_PROFILE", "embedded")
        yield


@pytest.fixture(scope="session", autouse=True)
def default_database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The file of a database that no test may open: it stands in for that of the checkout."""
    file: Path = tmp_path_factory.mktemp("default") / "opened-without-the-fixture-url.db"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PROVENANCE_DATABASE_URL", f"sqlite:///{file}")
        yield file


@pytest.fixture(autouse=True)
def no_default_database(default_database: Path) -> Iterator[None]:
    """A test that opens the default database fails: elsewhere that is data of a user."""
    yield
    if default_database.exists():
        dispose_engine(f"sqlite:///{default_database}")
        for file in default_database.parent.iterdir():
            file.unlink()
        pytest.fail("The test opened the default database. Take the fixture url.")


@pytest.fixture(scope="session")
def provenance() -> Provenance:
    """The shipped models, loaded once."""
    return Provenance.load()


@pytest.fixture(scope="session")
def cascade() -> Provenance:
    """The shipped models with the second reading, loaded once."""
    return Provenance.load("cascade")


@pytest.fixture
def loaded_once(provenance: Provenance, monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands in this process use the models that are loaded already."""
    load = Provenance.load

    def kept_or_loaded(profile: str | Profile | None = None) -> Provenance:
        return provenance if profile in (None, "embedded") else load(profile)

    monkeypatch.setattr(Provenance, "load", kept_or_loaded)


# A test that asks for one of these, itself or through another fixture, is marked ``models``.
_LOADING_FIXTURES = {"provenance", "cascade", "loaded_once"}


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what loads models, so that ``-m "not models"`` leaves it out."""
    for item in items:
        if _LOADING_FIXTURES & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.models)


@pytest.fixture(scope="session", autouse=True)
def no_unmarked_models(request: pytest.FixtureRequest) -> Iterator[None]:
    """Where models are left out, a test that loads them fails: it lacks the marker."""
    if "models" not in request.config.option.markexpr:
        yield
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Provenance, "load", _refuse_models)
        yield


def _refuse_models(*_given: object) -> None:
    pytest.fail("The test loads models. Take the fixture provenance or mark the test: models.")


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty SQLite database, migrated once for all tests. Copy it."""
    file: Path = tmp_path_factory.mktemp("empty") / "empty.db"
    url = f"sqlite:///{file}"
    get_engine(url)
    dispose_engine(url)
    return file


@pytest.fixture
def url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, empty_database: Path) -> str:
    """An empty SQLite database of the test's own, which the app reads too."""
    file = tmp_path / "app.db"
    shutil.copyfile(empty_database, file)
    url = f"sqlite:///{file}"
    monkeypatch.setenv("PROVENANCE_DATABASE_URL", url)
    return url


@pytest.fixture
def filled(url: str) -> str:
    """A database with a run, reviews and an audit of no run."""
    from tests.exports_data import fill  # it makes its evidence with this module

    fill(url)
    return url


def count_words(texts: Sequence[str]) -> list[int]:
    """A token counter whose tokens are white-space words: numbers a person can check."""
    return [len(text.split()) for text in texts]


def hand_evidence(
    relevance: Sequence[float],
    entailment: Sequence[Sequence[float]],
    contradiction: Sequence[Sequence[float]] | None = None,
) -> Evidence:
    """Evidence of M one-sentence claims over N one-sentence chunks with the given numbers."""
    against = contradiction or [[0.0] * len(relevance) for _ in entailment]
    context = tuple(ContextItem(i, f"Chunk number {i}.") for i in range(len(relevance)))
    chunks = tuple(Chunk(c.index, c.index, 0, len(c.text), c.text, 4) for c in context)
    texts = [f"Claim number {i}. " for i in range(len(entailment))]
    sentences, position = [], 0
    for i, text in enumerate(texts):
        sentences.append(Sentence(i, position, position + len(text), text))
        position += len(text)
    claims = tuple(
        Claim(s.index, s.start, s.end - 1, s.text.strip(), ClaimForm.SENTENCES, 4)
        for s in sentences
    )
    scores = PairScores(
        np.array(
            [
                [(e, 1 - e - c, c) for e, c in zip(row, other, strict=True)]
                for row, other in zip(entailment, against, strict=True)
            ]
        )
    )
    model = ModelInfo("nli", "hand", "1", "0" * 64, 256)
    return Evidence(
        query="",
        answer="".join(texts),
        context=context,
        chunks=chunks,
        relevance_query="".join(texts),
        relevance=tuple(relevance),
        claims=claims,
        claim_scores=scores,
        sentences=tuple(sentences),
        sentence_scores=scores,
        evidence_sentences=(EvidenceSentence(0, 0, 0, 5, scores.cell(0, 0)),),
        missing_details=(),
        relevance_model=model,
        nli_model=model,
        measured_by=Detector.measured_by,
    )


def scored_row(
    label: int,
    *scores: float,
    group: str = "",
    source: str = "",
    subset: str = "",
    spans: SpanCounts | None = None,
) -> ScoredRow:
    """A scored row of which only what a test is about is said."""
    return ScoredRow("0" * 12, "r", label, group, source, subset, scores, spans)


# The columns of the embedded models' scores, less most cells of the paper's Table 5.
COLUMNS = (
    Column("two-stage", 0.5, True),
    Column("top_p 0.9, min", 0.5, True),
    Column("word-overlap"),
    Column("rouge-2"),
    Column("length"),
)


def write_hand_scores(folder: Path) -> Path:
    """Kept scores of two sets by the models, of one by another profile, by SummaC and by dense
    retrieval, as by a report."""
    good = scored_row(1, 0.9, 0.7, 0.8, 0.5, -10.0, group="a", source="a")
    bad = scored_row(0, 0.2, 0.4, 0.9, 0.5, -30.0, group="b", source="a")
    marked = replace(bad, spans=SpanCounts(8, 10, 4))
    parts = [replace(row, subset=part) for part in ("QA, gpt", "QA, llama") for row in (good, bad)]
    command = "python -m provenance_core evaluate eval --report benchmarks"
    made_with = ("nli: provenance-nli", "parameters: threshold 0.5")
    for scored in (
        ScoredSet(
            "qags_xsum", "true", "two-stage", COLUMNS,
            (*[good] * 30, *[marked] * 30, replace(good, scores=(0.1, 0.7, 0.8, 0.5, -10.0))),
            (SkipReason("the context is empty", 2),), ("the file may be cut",),
            of=63, command=command, made_with=made_with,
        ),
        ScoredSet(
            "paws", "true", "two-stage", COLUMNS, tuple(parts * 20),
            of=80, command=command, made_with=made_with,
        ),
        ScoredSet(
            "qags_xsum", "true", "two-stage@embedded", COLUMNS, (good, bad, bad),
            of=3, command=f"{command} --profile embedded", made_with=made_with,
        ),
        ScoredSet(
            "qags_xsum", "true", "summac", (replace(COLUMNS[0], name="summac"), *COLUMNS[3:]),
            tuple(replace(row, scores=(row.scores[0], *row.scores[3:])) for row in [good, bad] * 5),
            of=10, command=f"{command} --method summac", made_with=made_with,
        ),
        ScoredSet(
            "qags_xsum", "true", Method.DENSE, tuple(map(Column, DENSE_EXPERIMENTS.values())),
            tuple(replace(row, scores=row.scores[:3]) for row in [good, bad] * 5),
            of=10, command=f"{command} --method dense", made_with=made_with,
        ),
    ):  # fmt: skip
        write_scored_set(scored, folder / "scores")
    return folder


def press(app: AppTest, label: str) -> AppTest:
    """Press the button with this label and run the page again."""
    next(b for b in app.button if b.label == label).click()
    app.run()
    assert not app.exception
    return app


def shown_html(app: AppTest) -> str:
    """Everything that the page shows as HTML, without the app's own script."""
    bodies = [element.proto.body for element in app.get("html")]
    return "\n".join(body for body in bodies if not body.startswith("<script>\n/* "))


def cell_texts(figure: Figure) -> list[list[str]]:
    """What a heatmap writes in its cells, by row, whichever ink it is written in."""
    first, *others = [trace.text for trace in figure.data[2:]]
    return [
        ["".join(parts) for parts in zip(*lines, strict=True)]
        for lines in zip(first, *others, strict=True)
    ]
