"""The words that pandas, SQL, JSON and people write where there is nothing."""

from __future__ import annotations

_NOTHING = frozenset(
    (
        "", "nan", "nat", "none", "null", "nil", "undefined", "n/a", "na", "n.a.", "<na>", "#n/a",
        "[]", "{}", "()", "[nan]", "[none]", "[null]", '[""]', "['']", "-", "--", "---", "–", "—",
        "(none)", "(null)", "(nan)", "(empty)", "(blank)", "<none>", "<null>", "<empty>", "<nan>",
        "#nv", "#value!", "#wert!", "#ref!", "#bezug!", "#name?", "#div/0!", "\\n", "np.nan",
        "pd.na",
    )
)  # fmt: skip
# What people and programs write as the whole of a context that is not there.
_NO_CONTEXT = frozenset(
    (
        "empty", "blank", "missing", "no context", "no contexts", "no context found",
        "no context provided", "no context available", "no context retrieved", "no documents",
        "no documents found", "no documents retrieved", "no results", "no results found",
        "nothing found", "not found", "not available", "not provided", "no chunks",
        "no passages", "no sources", "leer", "keine", "keiner", "keines", "kein kontext",
        "kein kontext gefunden", "keine angabe", "keine angaben", "keine dokumente",
        "keine treffer", "nicht vorhanden", "nicht gefunden", "k. a.", "k.a.", "aucun", "aucune",
        "aucun contexte", "aucun document", "aucun résultat", "vide", "non disponible", "néant",
        "ninguno", "ninguna", "sin contexto", "sin resultados", "sin datos", "vacío", "vacio",
        "no disponible", "nessuno", "nessuna", "nessun contesto", "nessun risultato", "vuoto",
        "non disponibile", "nenhum", "nenhuma", "sem contexto", "vazio", "geen", "geen context",
        "leeg", "brak", "ingen", "нет", "なし", "无", "無", "没有",
    )
)  # fmt: skip
# Nobody has judged: a label may say so in words of its own.
_NO_LABEL = frozenset(
    (
        "?", "??", "tbd", "todo", "unknown", "unlabelled", "unlabeled", "not annotated",
        "not judged", "unjudged", "skip", "skipped", "unsure", "unclear", "undecided",
        "cannot tell", "can't tell",
    )
)  # fmt: skip
# What a program writes for an answer that is not there; a person may answer "None" or "-".
_NO_ANSWER = frozenset(("", "nan", "nat", "null", "undefined", "<na>", "#n/a"))


def says_nothing(text: str) -> bool:
    """Whether a text stands for no text at all.

    >>> says_nothing(" NaN "), says_nothing("[]"), says_nothing("None of them")
    (True, True, False)
    """
    return len(text) < 20 and text.strip().casefold() in _NOTHING


def says_no_context(text: str) -> bool:
    """Whether a text, as the whole of a context, says that there is none.

    >>> says_no_context("(No context found.)"), says_no_context("No results were published.")
    (True, False)
    """
    if says_nothing(text):
        return True
    word = text.strip().strip("()[]<>").strip().casefold()
    return len(text) < 40 and (word in _NO_CONTEXT or word.rstrip(".!") in _NO_CONTEXT)


def says_no_label(text: str) -> bool:
    """Whether a label says that nobody has judged."""
    return says_nothing(text) or text.strip().casefold() in _NO_LABEL


def says_no_answer(text: str) -> bool:
    """Whether a program wrote the text for an answer that is not there."""
    return text.strip().casefold() in _NO_ANSWER if len(text) < 20 else not text.strip()
