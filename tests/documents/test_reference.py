"""The reference pages name everything that the code has."""

from __future__ import annotations

import re
from dataclasses import fields

import pytest

from api.settings import API_SETTINGS
from docs.reference import (
    OF_THE_DETECTOR,
    WRITERS,
    command_line,
    database,
    detectors,
    formats,
    option_name,
    options_of,
    parameters,
    profiles,
    settings,
    subcommands,
)
from provenance_core.cli.logs import LOG_LEVEL
from provenance_core.detectors import DETECTORS
from provenance_core.detectors.judge.settings import JUDGE_SETTINGS
from provenance_core.files.formats.registry import BATCH_FORMATS, FORMATS
from provenance_core.files.limits import FILE_SETTINGS
from provenance_core.models.catalogue.profiles import PROFILES
from provenance_core.models.settings import MODEL_SETTINGS
from provenance_core.types import Parameters
from storage.errors import DATABASE_URL_VARIABLE
from storage.exports import ExportFormat
from storage.models import Base
from storage.pair_scores import PAIR_SCORE_DAYS
from storage.retention import RETENTION_DAYS
from tests.documents.pages import PAGES


def sections(text: str) -> dict[str, str]:
    """What stands under each heading of the second level."""
    parts = re.split(r"^## (.+)$", text, flags=re.MULTILINE)[1:]
    return dict(zip(parts[::2], parts[1::2], strict=True))


def test_each_writer_has_its_page():
    for name in WRITERS:
        assert any(f"```{{from-code}} {name}\n```" in page for page in PAGES.values()), name


def test_every_parameter_with_its_default_and_option():
    shown = sections(parameters())
    assert list(shown) == [field.name for field in fields(Parameters)]
    defaults = Parameters()
    options = options_of(subcommands()["audit"])
    for name, text in shown.items():
        assert option_name(name) in options
        assert f"- **option**: `{option_name(name)}`" in text
        if name not in OF_THE_DETECTOR:
            value = getattr(defaults, name)
            default = "empty" if value == "" else f"`{value}`"
            assert f"- **default**: {default}\n" in text
        first = text.strip().splitlines()[0]
        assert len(first.split()) >= 4, f"{name} has no meaning: {first}"
        for each in DETECTORS.values():
            if name in each.traits.uses:
                assert f"`{each.name}`" in text


def test_every_detector_with_its_source():
    shown = sections(detectors())
    assert list(shown) == [each.title for each in DETECTORS.values()]
    for each in DETECTORS.values():
        text = shown[each.title]
        assert f"`{each.name}`" in text
        for part in (each.explanation, each.source, *each.traits.uses):
            assert part in text, part


def test_every_detector_has_its_formula_explained():
    shown = sections(PAGES["docs/explanation/formulas.md"])
    short = sections(detectors())
    for each in DETECTORS.values():
        if each.formula:
            assert each.formula in short[each.title], each.name
            continue
        assert each.source.split(" section")[0].split(",")[0] in shown[str(each.name)], each.name


def test_every_profile_and_every_variable():
    for name in PROFILES:
        assert f"| `{name}` |" in profiles()
    shown = settings()
    for setting in (
        LOG_LEVEL,
        *API_SETTINGS,
        PAIR_SCORE_DAYS,
        RETENTION_DAYS,
        *FILE_SETTINGS,
        *MODEL_SETTINGS,
        *JUDGE_SETTINGS,
    ):
        default = f"`{setting.default}`" if setting.default else "-"
        assert f"| `{setting.variable}` | {setting.meaning} | {default} |" in shown
    assert DATABASE_URL_VARIABLE in shown


def test_every_option_of_every_command():
    shown = sections(command_line())
    assert list(shown) == list(subcommands())
    for name, command in subcommands().items():
        for each in (command, *subcommands(command).values()):
            for option in options_of(each):
                assert option in shown[name], (name, option)


@pytest.mark.parametrize("known", [*FORMATS.values(), *BATCH_FORMATS.values()])
def test_every_format_that_is_read(known):
    text = formats()
    assert f"### `{known.name}`: {known.title}" in text
    assert " ".join(known.files.split()) in text


def test_every_format_that_is_written():
    text = formats().split("## Exports")[1]
    for each in ExportFormat:
        assert f"- `{each}`" in text


def test_every_table_and_column_of_the_database():
    shown = sections(database())
    assert set(shown) == set(Base.metadata.tables)
    for table in Base.metadata.tables.values():
        for column in table.columns:
            assert f"| `{column.name}` |" in shown[table.name], column
