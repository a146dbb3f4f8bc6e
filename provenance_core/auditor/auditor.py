"""The library in three lines: models and settings in one object, which checks answers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import fields, replace
from functools import partial
from operator import length_hint
from typing import Any, TypeAlias

from tqdm.auto import tqdm

from provenance_core.audit.shared_models import shared_models
from provenance_core.audit.together import attempt, audit_together, in_groups
from provenance_core.auditor.result import Result
from provenance_core.auditor.stream import Stream
from provenance_core.detectors import default_parameters, parameters_read
from provenance_core.errors import InputError
from provenance_core.models.catalogue.profiles import default_profile
from provenance_core.models.pair_memory import PairMemory
from provenance_core.parameters import PARAMETERS
from provenance_core.text.checked_texts import CheckedTexts, check_texts
from provenance_core.types import DEFAULT_DETECTOR, Audit, ContextItem, Parameters

Context: TypeAlias = str | Sequence[str | ContextItem]
# Answer, context and, where there is one, query; or a mapping with these keys.
Row: TypeAlias = Mapping[str, Any] | tuple[str, Context] | tuple[str, Context, str | None]
_KEYS = ("answer", "context", "query")


class Auditor:
    """Checks whether answers are supported by their contexts.

    Auditors of one process share their models, so that a second one costs nothing. Any thread may
    use one.

    Parameters
    ----------
    profile : str | None, default None
        Name of a profile of models; None means the one that ``PROVENANCE_PROFILE`` names, else
        ``cascade``.
    **parameters : Any
        Parameters that differ from the defaults of the detector and the profile, by name.

    Examples
    --------
    >>> from provenance_core import Auditor
    >>> auditor = Auditor()
    >>> result = auditor.check(
    ...     "It was opened in 1999.",
    ...     ["The bridge was opened in 1932.", "It carries trains."],
    ...     query="When was the bridge opened?",
    ... )
    >>> str(result.verdict), result.score < 0.5
    ('hallucinated', True)
    >>> for s in result.sentences:
    ...     print(s.text, s.label, s.evidence.text, s.evidence.item, sep=" | ")
    It was opened in 1999. | contradicted | The bridge was opened in 1932. | 0
    >>> Auditor("embedded").parameters.threshold, Auditor(threshold=0.6).parameters.threshold
    (0.5, 0.6)
    """

    def __init__(self, profile: str | None = None, **parameters: Any) -> None:
        self._profile = profile or default_profile()
        self._parameters = _parameters(self._profile, parameters)
        # What cannot be loaded is found out here, not at the first answer.
        with shared_models().use(self._profile):
            pass

    @property
    def profile(self) -> str:
        """The name of the profile."""
        return self._profile

    @property
    def parameters(self) -> Parameters:
        """Every setting of an audit."""
        return self._parameters

    def check(self, answer: str, context: Context, query: str | None = None) -> Result:
        """Check one answer.

        Parameters
        ----------
        answer : str
            The answer.
        context : str | Sequence[str | ContextItem]
            A text, or the context items, of any length.
        query : str | None, default None
            The question, where there is one.

        Returns
        -------
        Result
            Verdict, score, reason and sentences.

        Raises
        ------
        InputError
            The texts cannot be audited; the message says which and how to fix it.

        Examples
        --------
        >>> Auditor().check("It is red.", ["The car is red."], "Which colour is the car?").reason
        'The one sentence of the answer is supported by the context.'
        """
        return self._check(answer, context, query, PairMemory())

    def check_many(
        self,
        rows: Iterable[Row],
        progress: bool = False,
        on_error: Callable[[int, InputError], object] | None = None,
    ) -> Iterator[Result]:
        """Check many answers. The models read pairs of texts of several rows together, 16 at most.

        Pairs that several rows have, such as those of one context, are scored once.

        Parameters
        ----------
        rows : Iterable[Row]
            Mappings with ``answer``, ``context`` and, where there is one, ``query``; or tuples of
            these.
        progress : bool, default False
            Whether to show a bar of the rows that are done, in a notebook or on standard error.
        on_error : Callable[[int, InputError], object] | None, default None
            Called with the number of a row, from 0, that cannot be audited, and why. That row has
            no result, and the others go on. None means that such a row ends the work.

        Yields
        ------
        Result
            What came of each row, in their order.

        Raises
        ------
        InputError
            A row cannot be audited, and there is no ``on_error``; the message names it.

        Examples
        --------
        >>> rows = [
        ...     {"answer": "It is red.", "context": "The car is red."},
        ...     {"answer": "It was sold to Peru.", "context": ["The car is red."]},
        ... ]
        >>> [str(result.verdict) for result in Auditor().check_many(rows)]
        ['supported', 'hallucinated']
        """
        memory = PairMemory()
        checked = (attempt(partial(_checked, row)) for row in rows)
        bar = tqdm(total=length_hint(rows) or None, unit=" answers", disable=not progress)
        number = -1
        with bar:
            for group in in_groups(checked, self._parameters):
                for audit in self._together(group, memory):
                    number += 1
                    try:
                        result = Result(audit.result())
                    except InputError as error:
                        if on_error is None:
                            raise InputError(f"rows[{number}]: {error}") from error
                        on_error(number, error)
                    else:
                        yield result
                    bar.update()

    def stream(self, context: Context, query: str | None = None) -> Stream:
        """Check an answer while a model writes it.

        Parameters
        ----------
        context : str | Sequence[str | ContextItem]
            A text, or the context items, of any length.
        query : str | None, default None
            The question, where there is one.

        Returns
        -------
        Stream
            Takes what the model writes, and gives each sentence its label.

        Examples
        --------
        >>> stream = Auditor().stream("The bridge was opened in 1932.")
        >>> [sentence] = stream.add("The bridge was opened in 1932.")
        >>> str(sentence.label)
        'supported'
        """
        memory = PairMemory()
        return Stream(lambda answer: self._check(answer, context, query, memory))

    async def check_async(self, answer: str, context: Context, query: str | None = None) -> Result:
        """As :meth:`check`, in a thread of its own, for servers.

        Examples
        --------
        >>> import asyncio
        >>> str(asyncio.run(Auditor().check_async("It is red.", "The car is red.")).verdict)
        'supported'
        """
        return await asyncio.to_thread(self.check, answer, context, query)

    async def check_many_async(
        self,
        rows: Iterable[Row],
        progress: bool = False,
        on_error: Callable[[int, InputError], object] | None = None,
    ) -> AsyncIterator[Result]:
        """As :meth:`check_many`, in a thread of its own, for servers.

        Examples
        --------
        >>> import asyncio
        >>> async def verdicts():
        ...     rows = [("It is red.", "The car is red.")]
        ...     return [str(each.verdict) async for each in Auditor().check_many_async(rows)]
        >>> asyncio.run(verdicts())
        ['supported']
        """
        results = self.check_many(rows, progress, on_error)
        while (result := await asyncio.to_thread(next, results, None)) is not None:
            yield result

    def _check(
        self, answer: str, context: Context, query: str | None, memory: PairMemory
    ) -> Result:
        texts = _checked((answer, context, query))
        audit = shared_models().audit(texts, self._profile, self._parameters, memory=memory)
        return Result(audit)

    def _together(
        self, rows: Sequence[Future[CheckedTexts]], memory: PairMemory
    ) -> list[Future[Audit]]:
        with shared_models().use(self._profile) as provenance:
            return audit_together(provenance, rows, self._parameters, memory=memory)

    def __repr__(self) -> str:
        return f"Auditor({self._profile!r}, {self._parameters.detector})"


def _parameters(profile: str, given: Mapping[str, Any]) -> Parameters:
    """Raise InputError if a parameter is unknown, out of range or not read by the detector."""
    known = [field.name for field in fields(Parameters)]
    if unknown := sorted(set(given) - set(known)):
        raise InputError(
            f"There is no parameter {', '.join(unknown)}. There are: {', '.join(known)}."
        )
    defaults = default_parameters(profile, given.get("detector", DEFAULT_DETECTOR))
    try:
        parameters = replace(defaults, **given)
    except (TypeError, ValueError) as error:
        raise InputError(f"{error}.") from error
    every = [name for name, info in PARAMETERS.items() if info.of_every_detector]
    read = {"detector", *every, *parameters_read(parameters)}
    if unread := [name for name in given if name not in read]:
        raise InputError(
            f"{', '.join(unread)} would change nothing: the detector {parameters.detector} does "
            "not read it as things are set. Leave it out, or choose another detector."
        )
    return parameters


def _checked(row: Row) -> CheckedTexts:
    """The texts of a row. Raises InputError if one is missing or cannot be audited."""
    if isinstance(row, Mapping):
        if missing := [key for key in _KEYS[:2] if key not in row]:
            raise InputError(f"it has no {' and no '.join(missing)}; a row has {', '.join(_KEYS)}.")
        answer, context, query = row["answer"], row["context"], row.get("query")
    elif isinstance(row, str):
        raise InputError(f"it is one text; give a row of {', '.join(_KEYS)}.")
    elif 2 <= len(row) <= 3:
        answer, context, query = row[0], row[1], row[2] if len(row) == 3 else None
    else:
        raise InputError(f"it has {len(row)} values; give answer, context and query.")
    items = [context] if isinstance(context, str) else context
    return check_texts(answer=answer, context=items, query=query or "")
