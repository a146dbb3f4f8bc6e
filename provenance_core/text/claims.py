"""The claims of an answer (paper section 3.3, step 1)."""

from __future__ import annotations

from collections.abc import Sequence

from provenance_core.text.abstentions import without_abstention
from provenance_core.text.framing import without_frame
from provenance_core.text.markdown_tables import find_tables, row_statement
from provenance_core.text.references import is_fragment, without_pronoun
from provenance_core.text.set_aside import find_set_aside
from provenance_core.text.splitting import (
    TokenCounter,
    claim_bounds,
    sentence_bounds,
    split_long,
    strip_bounds,
)
from provenance_core.text.yes_no import is_bare, statement_of
from provenance_core.types import Claim, ClaimForm, Notice, Sentence


def claim_prompt(query: str, answer: str) -> str:
    """Write the claim "The answer to question <QUERY> is <ANSWER>." (paper section 3.3, step 1),
    with one full stop at its end; the answer alone without a query.

    >>> claim_prompt("Where is Paris?", "In France.")
    'The answer to question Where is Paris? is In France.'
    """
    query, answer = query.strip(), answer.strip()
    if not query:
        return answer
    return f"The answer to question {query} is {answer.removesuffix('.')}."


def split_answer(answer: str, limit: int, count_tokens: TokenCounter) -> tuple[Sentence, ...]:
    """Cut an answer into sentences that tile it, of at most ``limit`` tokens: a longer one is cut
    between words. ``count_tokens``: counts the tokens of each of several texts."""
    bounds = split_long(answer, sentence_bounds(answer), limit, count_tokens)
    return tuple(Sentence(i, a, b, answer[a:b]) for i, (a, b) in enumerate(bounds))


def claim_texts(answer: str, sentences: Sequence[Sentence]) -> list[str]:
    """What each sentence of an answer claims. S texts: the sentence without a list marker, without
    what frames it (:func:`without_frame`) and without an abstention beside a claim
    (:func:`without_abstention`); of a row of a Markdown table its values under the names of their
    columns ("Name: Tower; Height: 30 m")."""
    rows = {
        (row.start, row.end): row_statement(table.header, row)
        for table in find_tables(answer)
        for row in table.rows
    }
    texts: list[str] = []
    for sentence in sentences:
        start, end = claim_bounds(answer, sentence.start, sentence.end)
        said = [text for (a, b), text in rows.items() if sentence.start <= a and b <= sentence.end]
        texts.append("; ".join(filter(None, said)) or _stated(answer[start:end]))
    return texts


def _stated(text: str) -> str:
    said = without_frame(text)
    return without_abstention(said) or said


def build_claims(
    query: str,
    answer: str,
    sentences: tuple[Sentence, ...],
    form: ClaimForm,
    limit: int,
    count_tokens: TokenCounter,
) -> tuple[tuple[Claim, ...], tuple[Notice, ...]]:
    """Make the claims of an answer, none of them cut, and a notice where the prompt was too long.
    Under AUTO, a pronoun at the head of a sentence gives way to the subject of the sentence before,
    where the wording shows it (:func:`without_pronoun`). A first sentence that is a bare "yes" or
    "no", or has no verb, is read with the query, as an answer of one sentence is; so is the only
    one that states anything ("Sure! It opens at nine."). A bare "yes" or "no" becomes the statement
    that it makes of the query, where the wording shows it (:func:`statement_of`). ``limit``: most
    tokens of a claim. A longer claim prompt is scored sentence by sentence instead.
    ``count_tokens``: counts the tokens of each of several texts."""
    notices: tuple[Notice, ...] = ()
    single = len(sentences) == 1
    if form is ClaimForm.PROMPT or (form is ClaimForm.AUTO and single and query.strip()):
        start, end = (claim_bounds if single else strip_bounds)(answer, 0, len(answer))
        said = _stated(answer[start:end]) if single else answer[start:end]
        stated = statement_of(query, said) if form is ClaimForm.AUTO else None
        text = stated or claim_prompt(query, said)
        (tokens,) = count_tokens([text])
        if tokens <= limit:
            return (Claim(0, start, end, text, ClaimForm.PROMPT, tokens),), ()
        notices = (
            Notice(
                "claim_too_long",
                f"The claim prompt has {tokens} tokens and the model takes {limit} beside a "
                "chunk: the answer was scored sentence by sentence instead. Nothing was cut.",
            ),
        )
    ranges = [claim_bounds(answer, s.start, s.end) for s in sentences]
    texts = claim_texts(answer, sentences)
    if form is ClaimForm.AUTO:
        lone = _lone_statement(answer, sentences, query) if query.strip() else None
        texts = _with_references(query, texts, lone, limit, count_tokens)
    return (
        tuple(
            Claim(i, a, b, text, ClaimForm.SENTENCES, tokens)
            for i, ((a, b), text, tokens) in enumerate(
                zip(ranges, texts, count_tokens(texts), strict=True)
            )
        ),
        notices,
    )


def _lone_statement(answer: str, sentences: Sequence[Sentence], query: str) -> int | None:
    """The only sentence that is not set aside; None where there are several or none."""
    aside = {each.sentence for each in find_set_aside(answer, sentences, query)}
    stating = [each.index for each in sentences if each.index not in aside]
    return stating[0] if len(stating) == 1 else None


def _with_references(
    query: str, texts: list[str], lone: int | None, limit: int, count_tokens: TokenCounter
) -> list[str]:
    """``texts`` with what each refers to beyond itself, where the model takes that whole.
    ``lone``: the only one that states anything, if one does."""
    found = list(texts)
    before = texts[0]
    for at, text in enumerate(texts[1:], 1):
        before = found[at] = without_pronoun(text, before)
    if query.strip():
        stated = statement_of(query, texts[0])
        if stated or is_fragment(texts[0]) or is_bare(texts[0]):
            found[0] = stated or claim_prompt(query, texts[0])
        if lone is not None:
            found[lone] = statement_of(query, texts[lone]) or claim_prompt(query, texts[lone])
    return [
        text if tokens <= limit else own
        for own, text, tokens in zip(texts, found, count_tokens(found), strict=True)
    ]
