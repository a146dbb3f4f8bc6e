"""Whether a sentence, a value or a name is of what another one is of: only then can it stand in its
place.

Rules over the wording, for English. Where they do not show that the same is meant, it is not.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from provenance_core.findings.compare_values import comparable
from provenance_core.findings.details import DetailStatus, compare_details
from provenance_core.findings.kinds import DetailKind
from provenance_core.findings.phrases import find_clauses
from provenance_core.findings.quantities import StatedQuantity, find_quantities
from provenance_core.lexicon.stems import singular, word_stem
from provenance_core.lexicon.units import dimension
from provenance_core.lexicon.words import content_stems, is_function_word, word_list
from provenance_core.text.references import subject_of
from provenance_core.text.splitting import Bounds

# Share of a sentence's content words.
LEAST_SHARED = 0.25
# "By two bakers" and "by Kevin Systrom" both say who. "In Oslo" says where, "in 2010" when.
_ROLES = re.compile(r"\b(by|from|until|in|at|to)\s+(?:the\s+|an?\s+)?(\S)", re.IGNORECASE)
_SAME_WHATEVER_FOLLOWS = frozenset(("by", "from", "until"))
# Share of the content words of a query that the sentence which answers it has.
_LEAST_ASKED = 0.6
_CONJUNCTION = re.compile(r"^(?:and|but|while|whereas)\s+")


def is_of_the_same(sentence: str, other: str) -> bool:
    """Whether a sentence is about what another is about. True where ``other`` has the subject of
    ``sentence``, or a quarter of its content words, in any form.

    >>> is_of_the_same("The old tower is red.", "In 1990 the old tower was painted green.")
    True
    >>> is_of_the_same("The old tower is red.", "Entry costs 12 euros.")
    False
    """
    held = {word_stem(word) for word in word_list(other)}
    subject = [word for word in word_list(subject_of(sentence)) if not is_function_word(word)]
    if subject and all(word_stem(word) in held for word in subject):
        return True
    wanted = content_stems(sentence)
    return bool(wanted) and len(wanted & held) / len(wanted) >= LEAST_SHARED


def says_the_same_of_it(sentence: str, other: str) -> bool:
    """Whether a sentence is about what another says of its subject, and not only about that. True
    where ``other`` has a content word of what is said, in any form, or says where, when, by or from
    whom too.

    >>> says_the_same_of_it("The old tower was built by monks.", "The old tower is by Ann Lee.")
    True
    >>> says_the_same_of_it("The old tower sells tea.", "The old tower was painted in 1990.")
    False
    """
    subject = {word_stem(word) for word in word_list(subject_of(sentence))}
    said = content_stems(sentence) - subject
    if said & {word_stem(word) for word in word_list(other)}:
        return True
    return bool(_roles(sentence) & _roles(other))


def _roles(text: str) -> frozenset[tuple[str, str]]:
    """The prepositions of ``text`` whose sense is plain, each with what tells it: a number or a
    name that follows."""
    found = set()
    for match in _ROLES.finditer(text):
        word, first = match[1].lower(), match[2]
        if word in _SAME_WHATEVER_FOLLOWS:
            found.add((word, ""))
        # "In the dark" and "in two colours" are not alike.
        elif first.isdigit() or first.isupper():
            found.add((word, "number" if first.isdigit() else "name"))
    return frozenset(found)


def is_of_the_same_thing(
    claim: str,
    span: Bounds,
    source: str,
    other: Bounds,
    *,
    lead: str = "",
    query: str = "",
    wrong: Sequence[Bounds] = (),
) -> bool:
    """Whether ``source[other]`` is said of what ``claim[span]`` is said of. Both are values of the
    same kind with the same limit, of the same subject, and the clauses around them share a word of
    what they say. Every other number, date and name of the claim stands beside it. Offsets in
    characters. False too where the wording does not show it.

    >>> climb = "The lift climbs 1,498 metres from the valley station to the summit."
    >>> is_of_the_same_thing("The lift climbs 1,540 metres.", (16, 28), climb, (16, 28))
    True
    >>> is_of_the_same_thing("The valley station lies at 1,540 metres.", (27, 39), climb, (16, 28))
    False
    """
    own, its = _quantity(claim, span), _quantity(source, other)
    # "Jan" of "Jan Hoff" is a month to who does not know that a name is sought.
    if own is None:
        its = None
    elif its is None or not _is_comparable(own, its, query):
        return False
    else:
        span, other = (own.start, own.end), (its.start, its.end)
    window = f"{lead} {source}"
    beside = compare_details(claim, [window])
    allowed = [span, *wrong]
    if any(
        each.status is not DetailStatus.STATED and not _overlaps((each.start, each.end), allowed)
        for each in beside
    ):
        return False
    if query:
        asked = _content(query)
        return len(asked & _content(window)) >= _LEAST_ASKED * len(asked)
    if not _has_subject(claim, span, source, window):
        return False
    if own is not None and its is not None and own.things & its.things:
        return True
    rest, its_rest = _around(claim, span), _around(source, other)
    # "The margin is 18.9 %" beside "The margin is 18.4 %": a subject alone, but the same.
    alike = rest.casefold().split() == its_rest.casefold().split()
    return alike or not _content(rest) or says_the_same_of_it(rest, its_rest)


def _quantity(text: str, span: Bounds) -> StatedQuantity | None:
    return next((q for q in find_quantities(text) if q.start < span[1] and span[0] < q.end), None)


def _is_comparable(own: StatedQuantity, its: StatedQuantity, query: str) -> bool:
    # "Under 15" is a limit, "of 12" a value.
    if own.edge is not its.edge:
        return False
    if comparable(own, its):
        return True
    bare = own.kind is its.kind is DetailKind.NUMBER and not own.unit and not own.things
    if not bare or dimension(its.unit):
        return False
    return not its.things or bool(its.things & {singular(word) for word in word_list(query)})


def _has_subject(claim: str, span: Bounds, source: str, window: str) -> bool:
    """Whether ``source`` speaks of the subject of the clause around ``span``, or may by a pronoun
    or "the"."""
    start, end = _clause(claim, span)
    clause = _CONJUNCTION.sub("", claim[start:end])
    subject = subject_of(clause[:1].upper() + clause[1:]) or subject_of(claim)
    at = claim.casefold().find(subject.casefold())
    if not subject or _overlaps((at, at + len(subject)), [span]):
        return True
    wanted = _content(subject)
    if wanted <= _content(source):
        return True
    its = subject_of(source)
    return wanted <= _content(window) and (not its or is_function_word(its.split()[0]))


def _clause(text: str, span: Bounds) -> Bounds:
    """The clause of ``text`` around ``span``, or the clauses where it is in several."""
    clauses = [(a, b) for a, b in find_clauses(text) if a < span[1] and span[0] < b]
    return (clauses[0][0], clauses[-1][1]) if clauses else (0, len(text))


def _around(text: str, span: Bounds) -> str:
    """The clause of ``text`` around ``span``, without it; the rest of the text where the clause
    says nothing else."""
    start, end = _clause(text, span)
    clause = f"{text[start : max(start, span[0])]} {text[span[1] : max(span[1], end)]}"
    return clause if _content(clause) else f"{text[: span[0]]} {text[span[1] :]}"


def _content(text: str) -> set[str]:
    return {word_stem(word) for word in word_list(text) if not is_function_word(word)}


def _overlaps(span: Bounds, others: Sequence[Bounds]) -> bool:
    return any(span[0] < end and start < span[1] for start, end in others)
