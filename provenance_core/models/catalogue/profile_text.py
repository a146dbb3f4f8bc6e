"""The table of profiles in words, for the command line, the app and the documents."""

from __future__ import annotations

from provenance_core.models.catalogue.profiles import PROFILES, Profile, PublicModel, short_revision

_ROLES = {"relevance": "relevance", "nli": "NLI", "spans": "spans"}
_HEADER = (
    "| profile | models to download | download | licence | window | good for |",
    "|---|---|---|---|---|---|",
)


def role_text(model: PublicModel) -> str:
    """What a model is for, as the pages call it."""
    return _ROLES[model.role]


def size_text(size: float) -> str:
    """Bytes in words: "12 MB", "1.2 GB" (10^6 and 10^9 bytes)."""
    if size >= 1e9:
        return f"{size / 1e9:.1f} GB"
    if size >= 1e6:
        return f"{size / 1e6:.0f} MB"
    return f"{size / 1e3:.0f} kB"


def download_text(model: PublicModel) -> str:
    """The size of a model's download, where it is known."""
    return size_text(model.megabytes * 1e6) if model.megabytes else "size not known"


def facts_text(model: PublicModel) -> str:
    """Licence and window of a model, where they are known, with what to read for the rest."""
    licence = f"licence {model.licence}" if model.licence else "licence: see the model's page"
    return f"{licence}, window {model.window:,} tokens" if model.window else licence


def profile_table() -> str:
    """The table of profiles as Markdown, one line for each."""
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
