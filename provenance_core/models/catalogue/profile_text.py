"""The table of profiles in words, for the command line, the app and the documents."""

from __future__ import annotations

from provenance_core.models.catalogue.profiles import PROFILES, Profile, PublicModel, short_revision

_ROLES = {"relevance": "relevance", "nli": "NLI", "spans": "spans"}
_HEADER = (
    "| profile | models to download | download | licence | window | good for |",
    "|---|---|---|---|---|---|",
)


def role_text(model: PublicModel) -> str:
    """What a model is for, as the pages call it.

    >>> from provenance_core.models.catalogue.profiles import EMBEDDED_NLI
    >>> role_text(EMBEDDED_NLI)
    'NLI'
    """
    return _ROLES[model.role]


def size_text(size: float) -> str:
    """Say a size in GB, MB or kB, which are 10^9, 10^6 and 10^3 bytes.

    >>> size_text(12_300_000), size_text(1_230_000_000)
    ('12 MB', '1.2 GB')
    """
    if size >= 1e9:
        return f"{size / 1e9:.1f} GB"
    if size >= 1e6:
        return f"{size / 1e6:.0f} MB"
    return f"{size / 1e3:.0f} kB"


def download_text(model: PublicModel) -> str:
    """The size of a model's download in words."""
    return size_text(model.megabytes * 1e6) if model.megabytes else "size not known"


def facts_text(model: PublicModel) -> str:
    """A model's licence, or where to read it, and its window in tokens where it is known.

    >>> from provenance_core.models.catalogue.profiles import EMBEDDED_NLI
    >>> facts_text(EMBEDDED_NLI)
    'licence Apache-2.0, window 256 tokens'
    """
    licence = f"licence {model.licence}" if model.licence else "licence: see the model's page"
    return f"{licence}, window {model.window:,} tokens" if model.window else licence


def profile_table() -> str:
    """The table of ``PROFILES`` as Markdown."""
    return "\n".join((*_HEADER, *map(_row, PROFILES.values())))


def _row(profile: Profile) -> str:
    public = profile.public_models
    models = "<br>".join(
        f"{role_text(each)}: `{each.model_id}` at `{short_revision(each.revision)}`"
        for each in public
    )
    size = size_text(sum(each.megabytes for each in public) * 1e6)
    licences = dict.fromkeys(each.licence for each in public or profile.models)
    scoring = profile.spans or profile.nli
    return (
        f"| `{profile.name}` | {models or 'none'} | {size if public else 'none'} | "
        f"{', '.join(licences)} | {scoring.window:,} | {profile.good_for} |"
    )
