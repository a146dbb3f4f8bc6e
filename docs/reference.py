"""The reference pages, written from the code each time the documents are built.

A page names what it shows in a directive, for example ``{from-code} parameters``. Each writer in
``WRITERS`` returns Markdown. ``tests/documents/test_reference.py`` checks that they leave out
nothing that the code has.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from enum import StrEnum
from types import MappingProxyType
from typing import Any, get_type_hints

import click
from sqlalchemy import Table

from api.access.addresses import OPEN_TO_NETWORK
from api.app import create_app
from api.guard import Guard
from api.settings import API_SETTINGS
from docs.markdown import table
from provenance_core.cli.commands import PROGRAM
from provenance_core.cli.exchange_commands import HTML
from provenance_core.cli.logs import LOG_LEVEL
from provenance_core.cli.main import cli
from provenance_core.detectors import CONTEXT, DETECTORS
from provenance_core.detectors.judge.settings import JUDGE_SETTINGS
from provenance_core.environment import Setting
from provenance_core.files.formats.registry import BATCH_FORMATS, FORMATS, UNREAD, Format
from provenance_core.files.limits import FILE_SETTINGS
from provenance_core.models.catalogue.profile_text import profile_table
from provenance_core.models.settings import MODEL_SETTINGS
from provenance_core.parameters import PARAMETERS
from provenance_core.types import Parameters
from reports.glossary import TOPICS, terms_of
from storage.errors import DATABASE_URL_VARIABLE
from storage.exports import ExportFormat
from storage.models import Base
from storage.pair_scores import PAIR_SCORE_DAYS
from storage.retention import RETENTION_DAYS

# The parameter `detector` is the option `--method`; the others have the option of their name.
_OPTIONS = {"detector": "method"}
# What default_parameters takes from the detector.
OF_THE_DETECTOR = ("threshold", "claim_aggregation")
_DATABASE = Setting(
    DATABASE_URL_VARIABLE, "SQLAlchemy URL of the database", "the SQLite file data/provenance.db"
)


def subcommands(command: click.Command = cli) -> Mapping[str, click.Command]:
    """The commands of a group by name, none where it is no group."""
    if not isinstance(command, click.Group):
        return MappingProxyType({})
    context = click.Context(command)
    listed = ((name, command.get_command(context, name)) for name in command.list_commands(context))
    return MappingProxyType({name: each for name, each in listed if each is not None})


def options_of(command: click.Command) -> Mapping[str, click.Option]:
    """The options of a command by name."""
    params = command.get_params(click.Context(command))
    options = (each for each in params if isinstance(each, click.Option))
    return MappingProxyType({name: each for each in options for name in each.opts})


_RECOMPUTED = {
    True: "can be seen under another value without a model",
    False: "needs the models again for another value",
}


def option_name(parameter: str) -> str:
    """The option of the command line that sets ``parameter``."""
    return "--" + _OPTIONS.get(parameter, parameter).replace("_", "-")


def parameters() -> str:
    """Every parameter of an audit: meaning, default, values, option, who reads it."""
    options = options_of(subcommands()["audit"])
    hints = get_type_hints(Parameters)
    defaults = Parameters()
    parts = []
    for field in fields(Parameters):
        option = option_name(field.name)
        kind = hints[field.name]
        default = getattr(defaults, field.name)
        info = PARAMETERS.get(field.name)
        readers = [f"`{d.name}`" for d in DETECTORS.values() if field.name in d.traits.uses]
        facts = [
            ("default", "empty" if default == "" else f"`{default}`"),
            ("values", ", ".join(f"`{n}`" for n in DETECTORS) if info is None else _values(kind)),
            ("option", f"`{option}`"),
            ("read by", ", ".join(readers) or "every detector"),
        ]
        if info is not None:
            facts.append(("a saved audit", _RECOMPUTED[info.recomputed]))
            facts += [(f"`{each.value}`", each.help) for each in info.choices]
        if field.name in OF_THE_DETECTOR:
            facts[0] = ("default", "that of the [detector](detectors.md)")
        meaning = _meaning(options[option]) if info is None else _sentence(info.meaning)
        parts.append(f"## {field.name}\n\n{meaning}\n\n{bullets(facts)}")
    return "\n\n".join(parts)


def _values(kind: type) -> str:
    if issubclass(kind, StrEnum):
        return ", ".join(f"`{member.value}`" for member in kind)
    return {bool: "`True`, `False`", int: "a whole number", float: "a number", str: "text"}[kind]


def _meaning(option: click.Option) -> str:
    """The help of an option as a sentence."""
    text = option.help or ""
    if option.name == "method":  # names every detector, which have a page of their own
        text = "the [detector](detectors.md) that scores the answer"
    return _sentence(text)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:].rstrip(".") + "."


def bullets(facts: Iterable[tuple[str, str]]) -> str:
    """A list of names and what is said of each."""
    return "\n".join(f"- **{name}**: {' '.join(said.split())}" for name, said in facts if said)


def detectors() -> str:
    """Every detector: what it does, its source, what it reads, its threshold."""
    parts = []
    for each in DETECTORS.values():
        traits = each.traits
        facts = [
            ("name", f"`{each.name}`"),
            ("source", each.source),
            *([("formula", each.formula)] if each.formula else []),
            ("default threshold", f"{each.threshold('embedded'):g} with the embedded models"),
            (
                "reads, beside threshold, chunk size and overlap",
                ", ".join(f"`{name}`" for name in traits.uses) or "nothing more",
            ),
            ("the order of the context items", "matters" if traits.order_matters else "is free"),
            ("finds parts of sentences (spans)", "yes" if traits.finds_spans else "no"),
            (
                "sends texts out of the process",
                "yes, to the endpoint that you set" if traits.sends_texts else "no",
            ),
        ]
        if "claim_aggregation" in traits.uses:
            facts.append(("default of `claim_aggregation`", f"`{each.claim_aggregation.value}`"))
        if traits.context != CONTEXT:
            facts.append(("takes in place of the context", traits.context))
        parts.append(f"## {each.title}\n\n{each.explanation}\n\n" + table(("", ""), facts))
    return "\n\n".join(parts)


def profiles() -> str:
    """Every profile of models."""
    return profile_table()


def settings() -> str:
    """Every environment variable."""
    rows = [
        (f"`{each.variable}`", each.meaning, f"`{each.default}`" if each.default else "-")
        for each in (
            _DATABASE,
            LOG_LEVEL,
            PAIR_SCORE_DAYS,
            RETENTION_DAYS,
            OPEN_TO_NETWORK,
            *API_SETTINGS,
            *FILE_SETTINGS,
            *MODEL_SETTINGS,
            *JUDGE_SETTINGS,
        )
    ]
    return table(("variable", "meaning", "default"), rows)


def command_line() -> str:
    """The help of every command, as ``--help`` prints it."""
    parts = []
    for name, command in subcommands().items():
        parts.append(f"## {name}\n\n{_help_block(command, name)}")
        parts += [
            f"### {name} {action}\n\n{_help_block(below, f'{name} {action}')}"
            for action, below in subcommands(command).items()
        ]
    return "\n\n".join(parts)


def _help_block(command: click.Command, name: str) -> str:
    # A width of its own, so that the page does not depend on the terminal of the build.
    context = click.Context(command, info_name=f"{PROGRAM} {name}", terminal_width=92)
    return f"```text\n{command.get_help(context).rstrip()}\n```"


def rest() -> str:
    """Every address of the REST interface: what it takes and what it answers."""
    described = create_app(Guard(lambda: "127.0.0.1", lambda: ())).openapi()
    schemas = described["components"]["schemas"]
    parts = []
    for path, methods in described["paths"].items():
        for method, each in methods.items():
            said = f"## {method.upper()} {path}\n\n{each['description']}"
            rows = [
                (f"`{name['name']}` ({name['in']})", name.get("description", ""))
                for name in each.get("parameters", ())
            ]
            body = each.get("requestBody", {}).get("content", {}).get("application/json")
            if body:
                rows += _fields(schemas[_name(body["schema"])])
            shown = [table(("given", "meaning"), rows)] if rows else []
            answers = [
                (status, f"{answer['description']}{_answered(answer)}")
                for status, answer in sorted(each["responses"].items())
            ]
            parts.append("\n\n".join([said, *shown, table(("status", "answer"), answers)]))
    parts.append("## Fields\n\nThe types of requests and answers, by name.")
    for name, schema in sorted(schemas.items()):
        meaning = " ".join(schema.get("description", "").split())
        held = _fields(schema)
        values = ", ".join(f"`{value}`" for value in schema.get("enum", ()))
        told = table(("field", ""), held) if held else f"One of {values}."
        parts.append(f"### {name}\n\n{meaning}\n\n{told}")
    return "\n\n".join(parts)


def _name(schema: Mapping[str, Any]) -> str:
    return str(schema["$ref"]).rpartition("/")[2]


def _answered(answer: Mapping[str, Any]) -> str:
    """The type of an answer, in brackets."""
    for content in answer.get("content", {}).values():
        if "$ref" in content.get("schema", {}):
            return f" (`{_name(content['schema'])}`)"
    return ""


def _fields(schema: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Name, type and meaning of each field of an object."""
    needed = schema.get("required", ())
    return [
        (
            f"`{name}`" + (", needed" if name in needed else ""),
            ". ".join(filter(None, (_type(each), each.get("description", "")))),
        )
        for name, each in schema.get("properties", {}).items()
    ]


def _type(schema: Mapping[str, Any]) -> str:
    """The type of a field in words."""
    if "$ref" in schema:
        return f"`{_name(schema)}`"
    if "anyOf" in schema:
        return " or ".join(map(_type, schema["anyOf"]))
    if schema.get("type") == "array":
        inner = schema.get("items")
        return f"list of {_type(inner)}" if inner else "list"
    return {"null": "nothing", "object": "object"}.get(*[schema.get("type", "any")] * 2)


def formats() -> str:
    """Every file that is read, labelled or not, and every file that is written."""
    parts = ["## Other tools", _tools()]
    parts.append("## Labelled rows, for evaluate")
    for each in FORMATS.values():
        facts = [
            ("repository", each.repository),
            ("files", each.files),
            ("keys", "; or ".join(map(_keys, each.keys))),
            ("label", each.label_rule),
            ("not zero-shot", each.training_overlap),
        ]
        parts.append(f"### `{each.name}`: {each.title}\n\n{bullets(facts)}")
    parts.append("## Answers, for a batch run\n\nThese files may come without labels.")
    for known in BATCH_FORMATS.values():
        keys = [_keys(names - known.optional) for names in known.keys if names]
        facts = [
            ("files", known.files),
            ("keys", "; or ".join(keys) or "any"),
            ("keys are", known.source),
        ]
        mapped = table(("field", "where it is"), _mapped(known)) if known.columns else ""
        text = f"### `{known.name}`: {known.title}, in a run\n\n{bullets(facts)}"
        parts.append(f"{text}\n\n{mapped}".rstrip())
    unread = bullets((_keys(each.keys), each.advice) for each in UNREAD)
    parts.append(f"## Files that are known and not read\n\n{unread}")
    exports = "\n".join(f"- `{name}`" for name in sorted([*ExportFormat, HTML]))
    parts.append(f"## Exports\n\n{inspect.cleandoc(ExportFormat.__doc__ or '')}\n\n{exports}")
    return "\n\n".join(parts)


def _tools() -> str:
    """Format, versions that wrote a test file, what is read, what comes back, of each tool."""
    rows = [
        (f"`{each.name}`", each.versions, each.files, each.returns or "-")
        for each in BATCH_FORMATS.values()
        if each.versions
    ]
    return table(
        ("format", "versions that wrote a test file", "what is read", "what comes back"), rows
    )


def _mapped(known: Format) -> list[tuple[str, str]]:
    """The table of a format; of one that makes its rows in steps, the fields that it fills."""
    if known.fixed:
        return [(each.field, "made by the format") for each in known.columns]
    return [(each.field, " or ".join(f"`{path}`" for path in each.paths)) for each in known.columns]


def _keys(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in sorted(names))


def database() -> str:
    """Every table of the database with its columns."""
    explained = {
        mapper.local_table.name: inspect.getdoc(mapper.class_) or ""
        for mapper in Base.registry.mappers
        if isinstance(mapper.local_table, Table)
    }
    return "\n\n".join(
        f"## {each.name}\n\n{explained[each.name]}\n\n{_columns(each)}"
        for each in Base.metadata.sorted_tables
    )


def _columns(of: Table) -> str:
    rows = []
    for column in of.columns:
        notes = ["primary key"] if column.primary_key else []
        notes += [f"of `{key.target_fullname}`" for key in column.foreign_keys]
        notes += ["may be empty"] if column.nullable else []
        rows.append((f"`{column.name}`", str(column.type), ", ".join(notes)))
    return table(("column", "type", ""), rows)


def glossary() -> str:
    """Every term that the pages use, by topic."""
    return "\n\n".join(
        f"## {topic}\n\n{bullets((term.name, term.meaning) for term in terms_of(topic))}"
        for topic in TOPICS
    )


WRITERS: Mapping[str, Callable[[], str]] = MappingProxyType(
    {
        "parameters": parameters,
        "detectors": detectors,
        "profiles": profiles,
        "settings": settings,
        "command-line": command_line,
        "rest": rest,
        "formats": formats,
        "database": database,
        "glossary": glossary,
    }
)
