"""An answer that is checked while a model writes it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Iterator

from provenance_core.auditor.result import Result
from provenance_core.explain.summary import SummarySentence
from provenance_core.text.splitting import sentence_bounds

Check = Callable[[str], Result]


class Stream:
    """An answer that is checked while a model writes it; :meth:`Auditor.stream` makes one.

    Each new sentence is checked behind those before it, as in the whole answer. Pairs of texts that
    were scored are not scored again. The label of a sentence may still change in the result of the
    whole answer, where a later sentence says what it is about.

    Parameters
    ----------
    check : Callable[[str], Result]
        Checks an answer against the context.
    """

    def __init__(self, check: Check) -> None:
        self._check = check
        self._text = ""
        self._labelled = 0

    def write(self, text: str) -> tuple[SummarySentence, ...]:
        """Add a piece of the answer, of any length.

        Parameters
        ----------
        text : str
            What the model wrote next.

        Returns
        -------
        tuple[SummarySentence, ...]
            The sentences that have ended: another one has begun behind each.

        Raises
        ------
        InputError
            The texts cannot be audited.

        Examples
        --------
        >>> from provenance_core import Auditor
        >>> stream = Auditor().stream("The bridge was opened in 1932. It carries trains.")
        >>> stream.write("The bridge was opened ")
        ()
        >>> [sentence] = stream.write("in 1932. It")
        >>> sentence.text
        'The bridge was opened in 1932. '
        """
        self._text += text
        bounds = sentence_bounds(self._text)
        return self._new(bounds[-2][1]) if len(bounds) > 1 + self._labelled else ()

    def add(self, sentence: str) -> tuple[SummarySentence, ...]:
        """Add whole sentences.

        Parameters
        ----------
        sentence : str
            One sentence of the answer, or several.

        Returns
        -------
        tuple[SummarySentence, ...]
            Each of them with its label.

        Raises
        ------
        InputError
            The texts cannot be audited.

        Examples
        --------
        >>> from provenance_core import Auditor
        >>> stream = Auditor().stream("The bridge was opened in 1932. It carries trains.")
        >>> for text in ("The bridge was opened in 1932.", "It was sold to Peru in 2001."):
        ...     for sentence in stream.add(text):
        ...         print(sentence.label)
        supported
        not_found
        """
        space = " " if self._text and not self._text[-1].isspace() else ""
        self._text += space + sentence
        return self._new(len(self._text))

    def read(self, pieces: Iterable[str]) -> Iterator[SummarySentence]:
        """Label the sentences of an answer while it comes in pieces.

        Parameters
        ----------
        pieces : Iterable[str]
            What the model writes, such as its tokens.

        Yields
        ------
        SummarySentence
            Each sentence as soon as it has ended.

        Raises
        ------
        InputError
            The texts cannot be audited.

        Examples
        --------
        >>> from provenance_core import Auditor
        >>> stream = Auditor().stream("The bridge was opened in 1932. It carries trains.")
        >>> tokens = ["The bridge ", "was opened in 1932. ", "It carries ", "trains."]
        >>> [str(sentence.label) for sentence in stream.read(tokens)]
        ['supported', 'supported']
        >>> stream.result().score > 0.5
        True
        """
        for piece in pieces:
            yield from self.write(piece)
        yield from self._new(len(self._text))

    async def read_async(self, pieces: AsyncIterable[str]) -> AsyncIterator[SummarySentence]:
        """As :meth:`read`, in a thread of its own.

        Examples
        --------
        >>> import asyncio
        >>> from provenance_core import Auditor
        >>> async def labels():
        ...     async def tokens():
        ...         yield "The bridge was opened "
        ...         yield "in 1932."
        ...     stream = Auditor().stream("The bridge was opened in 1932.")
        ...     return [str(each.label) async for each in stream.read_async(tokens())]
        >>> asyncio.run(labels())
        ['supported']
        """
        async for piece in pieces:
            for sentence in await asyncio.to_thread(self.write, piece):
                yield sentence
        for sentence in await asyncio.to_thread(self._new, len(self._text)):
            yield sentence

    def result(self) -> Result:
        """Check the whole answer as it stands.

        Returns
        -------
        Result
            What came of it, as from :meth:`Auditor.check`.

        Raises
        ------
        InputError
            The texts cannot be audited.

        Examples
        --------
        >>> from provenance_core import Auditor
        >>> stream = Auditor().stream("The bridge was opened in 1932.")
        >>> labels = stream.add("The bridge was opened in 1932.")
        >>> str(stream.result().verdict)
        'supported'
        """
        return self._check(self._text)

    def _new(self, end: int) -> tuple[SummarySentence, ...]:
        """The sentences of the text up to ``end`` that were not given yet."""
        text = self._text[:end]
        if not text.strip():
            return ()
        sentences = self._check(text).sentences[self._labelled :]
        self._labelled += len(sentences)
        return sentences
