"""All commands by name, and what they add to click: options of several values, one of several."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from types import MappingProxyType
from typing import Any

import click
from click.core import ParameterSource

PROGRAM = "python -m provenance_core"
PARAMETERS_HEADING = "Parameters, each of which defaults to the profile's own value"
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Entry:
    """Where a command is. Its module is imported with it alone, since an audit is to start soon."""

    module: str
    name: str
    summary: str


COMMANDS = MappingProxyType(
    {
        "app": Entry("server_commands", "app", "open the dashboard"),
        "audit": Entry("audit_command", "audit", "audit one answer"),
        "evaluate": Entry("evaluate_command", "evaluate", "score files of labelled rows"),
        "batch": Entry("batch_command", "batch", "audit the rows of a file and keep the audits"),
        "fit": Entry("fit_command", "fit", "fit support map and threshold to labelled answers"),
        "preset": Entry("preset_command", "preset", "list presets, export and import them"),
        "run": Entry("run_command", "run", "list runs, and rename one"),
        "export": Entry("exchange_commands", "export", "write saved audits to a file"),
        "import": Entry("exchange_commands", "import_", "import audits, or people's labels"),
        "backup": Entry("backup_commands", "backup", "copy the database to a file"),
        "restore": Entry("backup_commands", "restore", "restore the database from a copy"),
        "check": Entry("backup_commands", "check", "check the database"),
        "compact": Entry("backup_commands", "compact", "remove deleted texts from the database"),
        "retention": Entry("retention_command", "retention", "delete audits and runs by age"),
        "health": Entry("health_command", "health", "check models, database and disk"),
        "serve": Entry("server_commands", "serve", "serve the REST interface"),
        "formats": Entry("formats_command", "formats", "list the files that are read"),
        "models": Entry("models_command", "models", "list, get, check and remove models"),
    }
)


class Commands(click.Group):
    """The group of all commands."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command; None if there is none of the name."""
        if (entry := COMMANDS.get(cmd_name)) is None:
            return None
        module = import_module(f"{__package__}.{entry.module}")
        found: click.Command = getattr(module, entry.name)
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, each.summary) for name, each in COMMANDS.items()])


class Command(click.Command):
    """A command whose repeated options take several values at once: ``--context a.txt b.txt``.
    ``one_of``: parameters of which at most one may be given, and one must be with ``needed``."""

    def __init__(
        self, *args: Any, one_of: Sequence[str] = (), needed: bool = False, **settings: Any
    ) -> None:
        super().__init__(*args, **settings)
        self._one_of = one_of
        self._needed = needed

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Raise UsageError as well if not one of the options is given that exclude each other."""
        rest = super().parse_args(ctx, self._one_by_one(args))
        given = [
            name for name in self._one_of if ctx.get_parameter_source(name) in _GIVEN_BY_THE_CALLER
        ]
        options = {param.name: param.opts[0] for param in self.params}
        if len(given) > 1:
            names = " and ".join(options[name] for name in given)
            raise click.UsageError(f"{names} do not go together; leave one out", ctx)
        if self._needed and not given and not ctx.resilient_parsing:
            names = ", ".join(options[name] for name in self._one_of)
            raise click.UsageError(f"one of {names} is needed", ctx)
        return rest

    def _one_by_one(self, args: Sequence[str]) -> list[str]:
        """``--context a b`` as ``--context a --context b``: what follows, up to an option."""
        several = {
            name
            for param in self.params
            if isinstance(param, click.Option) and param.multiple
            for name in param.opts
        }
        found: list[str] = []
        option = ""
        for arg in args:
            if arg.startswith("-") and arg != "-":
                option = arg if arg in several else ""
            elif option and found[-1] != option:
                found.append(option)
            found.append(arg)
        return found

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The command's own options, then the parameters of an audit."""
        own: list[tuple[str, str]] = []
        parameters: list[tuple[str, str]] = []
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx) if isinstance(param, click.Option) else None
            if record:
                (parameters if isinstance(param, ParameterOption) else own).append(record)
        for heading, records in (("Options", own), (PARAMETERS_HEADING, parameters)):
            if records:
                with formatter.section(heading):
                    formatter.write_dl(records)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command, with its begin and its end in the log."""
        _LOG.info("event=command_started command=%s", self.name)
        status = super().invoke(ctx)
        _LOG.info("event=command_ended command=%s status=%d", self.name, status)
        return status


class ParameterOption(click.Option):
    """An option that sets a parameter of an audit; the help lists it under them."""


_GIVEN_BY_THE_CALLER = (ParameterSource.COMMANDLINE, ParameterSource.ENVIRONMENT)
