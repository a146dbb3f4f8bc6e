"""Which cells of sentences x chunks were computed, in words."""

from __future__ import annotations

from provenance_core import Audit

NOT_COMPUTED = "not computed"
NOT_COMPUTED_WHY = f"{NOT_COMPUTED}: the NLI model read only the chunks that were selected"


def reads_all(audit: Audit) -> bool:
    """Say whether every cell was computed.

    Parameters
    ----------
    audit : Audit
        An audit of any detector.

    Returns
    -------
    bool
        False where the NLI model read only some of the chunks.
    """
    return not audit.evidence.chunks_read


def cells_text(audit: Audit) -> str:
    """Say how many cells were computed, and what is not known of the others.

    Parameters
    ----------
    audit : Audit
        An audit of any detector.

    Returns
    -------
    str
        Sentences; "" where every cell was computed.
    """
    if reads_all(audit):
        return ""
    sentences, chunks = len(audit.sentences), len(audit.sources)
    read = sum(audit.evidence.chunks_read)
    each = "the sentence" if sentences == 1 else f"each of {sentences:,} sentences"
    return (
        f"The NLI model read {read:,} of {chunks:,} chunks with {each}: {sentences * read:,} of "
        f"{sentences * chunks:,} cells were computed. The other chunks were not selected as "
        "sources. Whether one of them supports or contradicts a sentence was not computed."
    )
