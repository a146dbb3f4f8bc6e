"""The Models page: profiles with their models and downloads, profiles of one's own, the cache."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import streamlit as st

from dashboard.models.downloads import Download, downloads
from dashboard.models.judge import draw_judge
from dashboard.shared.access import Role, allowed
from dashboard.shared.problems import draw_outcome, keep_outcome, kept_problems, shown_problems
from dashboard.shared.ready_profiles import profile_problem, unnamed_classes
from dashboard.shared.settings import choose_profile
from dashboard.shared.sidebar import draw_left_preset
from provenance_core import InputError, ModelError
from provenance_core.models.catalogue.custom_profiles import forget_models, is_custom_name
from provenance_core.models.catalogue.profile_text import (
    download_text,
    facts_text,
    role_text,
    size_text,
)
from provenance_core.models.catalogue.profiles import (
    Profile,
    PublicModel,
    get_profile,
    keep_custom_profile,
    profile_names,
    short_revision,
)
from provenance_core.models.hub.cache import (
    StoredModel,
    check_model,
    find_model,
    is_ready,
    remove_stored,
    stored_models,
)
from provenance_core.models.settings import FOLDER, OFFLINE, read_model_settings
from provenance_core.models.torch_models.devices import choose_device
from reports.wording import profile_title

_POLL_SECONDS = 1.0
# What a button did or could not do, to be shown where the button is.
_PROFILES, _CUSTOM, _CACHE = "models_profiles", "models_custom", "models_cache"
_NLI, _RELEVANCE = "custom_nli", "custom_relevance"


def draw_models() -> None:
    """The whole page below its title."""
    if read_model_settings().offline:
        st.info(
            f"{OFFLINE.variable} is set: nothing is downloaded. You can use what is here already, "
            "or a folder of your own."
        )
    polled = downloads().any_active()
    st.fragment(_draw_profiles, run_every=_POLL_SECONDS if polled else None)(polled)
    st.header("A profile of your own")
    _draw_custom_form()
    st.header("A language model as judge")
    draw_judge()
    st.header("Downloaded models")
    _draw_cache()


def _draw_profiles(polled: bool) -> None:
    draw_outcome(_PROFILES)
    # Here, since a fragment is drawn again without its page.
    with shown_problems("The profiles cannot be listed. You can still use the embedded profile."):
        for name in profile_names():
            _draw_profile(get_profile(name))
    if downloads().any_active() != polled:
        # Redraws the whole page to begin or end polling, and to update the list of downloads.
        st.rerun()


def _draw_profile(profile: Profile) -> None:
    problem = profile_problem(profile.name)
    download = downloads().of(profile.name)
    if download is not None and not download.active and not download.problem:
        downloads().forget(profile.name)
        download = None
    in_use = st.session_state.profile == profile.name
    with st.container(border=True, key=f"profile_{profile.name.replace('.', '_')}"):
        text, action = st.columns([4, 1.3], vertical_alignment="center")
        text.html(_profile_html(profile, _state(profile, problem, in_use)))
        with action.container(horizontal_alignment="right"):
            _draw_action(profile, problem, download, in_use)
        if in_use:
            draw_left_preset()
        if download is not None:
            _draw_download(download)
        elif problem and not _missing(profile):
            _draw_repair(profile, problem)
        if st.session_state.get("profile_refused") == profile.name:
            used = profile_title(st.session_state.profile)
            st.error("These models cannot be loaded.")
            problem = st.session_state.profile_problem
            st.text(f"The profile in use is still {used}.\n{problem}")


def _state(profile: Profile, problem: str, in_use: bool) -> str:
    if in_use:
        return "in use"
    if not problem:
        return "ready"
    return "not downloaded" if _missing(profile) else "not ready"


def _profile_html(profile: Profile, state: str) -> str:
    rows = "".join(
        f"<br>{escape(role_text(model))}: <code>{escape(model.model_id)}</code> "
        f"{escape(_where(model))} · {escape(facts_text(model))}"
        for model in profile.public_models
    )
    alike: dict[str, list[str]] = {}
    for model in profile.models:
        if model.is_embedded:
            role = "second NLI" if model is profile.second else role_text(model)
            alike.setdefault(facts_text(model), []).append(role)
    rows += "".join(f"<br>{', '.join(roles)}: embedded · {facts}" for facts, roles in alike.items())
    return (
        f"<b>{escape(profile_title(profile.name))}</b> · {state}<br>{escape(profile.good_for)}"
        f"<small>{rows}</small>"
    )


def _where(model: PublicModel) -> str:
    if model.given_folder is not None:
        return "folder"
    cached = find_model(model)
    if cached is None:
        return f"at {short_revision(model.revision)} · {download_text(model)}"
    at = short_revision(model.revision)
    commit = short_revision(cached.commit)
    named = commit if model.revision == cached.commit else f"{at} ({commit})"
    return f"at {named} · {size_text(cached.size)}, downloaded"


def _missing(profile: Profile) -> list[PublicModel]:
    """The models that a download can get."""
    return [
        model
        for model in profile.public_models
        if model.given_folder is None and not is_ready(model)
    ]


def _draw_action(profile: Profile, problem: str, download: Download | None, in_use: bool) -> None:
    name = profile.name
    if download is not None and download.active:
        st.button(
            "Stopping…" if download.stopping else "Stop",
            key=f"stop_{name}",
            icon=":material/stop:",
            disabled=download.stopping,
            on_click=_stop,
            args=(download,),
            help="The files that arrived are kept. The next download fetches the others.",
        )
    elif not problem:
        st.button(
            "In use" if in_use else "Use",
            key=f"use_{name}",
            icon=":material/check:" if in_use else None,
            disabled=in_use,
            on_click=choose_profile,
            args=(name,),
            help=None if in_use else "Load the models, and audit with them in this session.",
        )
    elif missing := _missing(profile):
        size = sum(model.megabytes for model in missing) * 1e6
        st.button(
            f"Download {size_text(size)}" if size else "Download",
            key=f"download_{name}",
            icon=":material/download:",
            disabled=read_model_settings().offline,
            on_click=_download,
            args=(profile,),
        )
    if is_custom_name(name) and not in_use and not (download is not None and download.active):
        st.button(
            "Forget",
            key=f"forget_{name}",
            icon=":material/delete:",
            on_click=_forget,
            args=(name,),
            help="Removes this profile from the list. Downloaded models stay until you remove "
            "them below; audits made with it do not change.",
        )


@allowed(Role.ADMIN, "download models")
def _download(profile: Profile) -> None:
    downloads().start(profile)


@allowed(Role.ADMIN, "stop a download")
def _stop(download: Download) -> None:
    download.stop()


def _draw_download(download: Download) -> None:
    if download.active:
        state = download.state
        if state is None:
            st.progress(0.0, text="Asking the hub")
        else:
            st.progress(
                state.share,
                text=f"{size_text(state.done)} of {size_text(state.total)}{_place(download)}",
            )
    elif download.problem:
        st.error("The download did not finish. The profile in use is unchanged.")
        st.text(download.problem)


def _place(download: Download) -> str:
    """Which model of several is being downloaded."""
    models = [model.model_id for model in download.profile.public_models]
    if download.state is None or len(models) < 2:
        return ""
    return f", model {models.index(download.state.model_id) + 1} of {len(models)}"


def _draw_repair(profile: Profile, problem: str) -> None:
    """A profile whose models are here and that still cannot be used."""
    try:
        classes = unnamed_classes(profile)
    except ModelError:
        classes = 0
    st.text(problem)
    if not classes:
        return
    key = f"label_{profile.name}"
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.selectbox(
            "Index of the class that means “supported” (entailment)",
            range(classes),
            index=None,
            placeholder="see the model's page",
            key=key,
            width=380,
        )
        st.button("Save", key=f"save_{key}", on_click=_save_label, args=(profile, key))


@allowed(Role.ADMIN, "name the class of a model")
def _save_label(profile: Profile, key: str) -> None:
    label = st.session_state[key]
    relevance = None if profile.relevance.is_embedded else profile.relevance.reference
    with kept_problems(_PROFILES):
        if label is None:
            raise InputError("Choose the index of the class first.")
        keep_custom_profile(profile.nli.reference, relevance, label)
        forget_models(profile.name)


@allowed(Role.ADMIN, "forget a profile")
def _forget(name: str) -> None:
    with kept_problems(_PROFILES):
        forget_models(name)
        downloads().forget(name)


def _draw_custom_form() -> None:
    st.caption(
        "Any cross-encoder of the hub, or a folder with config.json, the tokenizer's files and "
        "model.safetensors. Code that comes with a model is never run, and pickles are never read."
    )
    draw_outcome(_CUSTOM)
    with st.form("custom_profile", border=True):
        left, right = st.columns(2)
        left.text_input(
            "NLI model",
            key=_NLI,
            placeholder="OWNER/NAME or a folder",
            max_chars=500,
            help="OWNER/NAME, OWNER/NAME@REVISION, or a folder of the machine that Provenance "
            "runs on, with a / or ./ in front.",
        )
        right.text_input(
            "Relevance model",
            key=_RELEVANCE,
            placeholder="the embedded one",
            max_chars=500,
            help="As on the left; left empty, it is the embedded relevance model.",
        )
        st.form_submit_button("Add the profile", on_click=_add, icon=":material/add:")


@allowed(Role.ADMIN, "add a profile")
def _add() -> None:
    state = st.session_state
    with kept_problems(_CUSTOM):
        if not state[_NLI].strip():
            raise InputError("Name the NLI model.")
        made = keep_custom_profile(state[_NLI], state[_RELEVANCE].strip() or None)
        keep_outcome(_CUSTOM, f"{profile_title(made.name)} is on the list above.")
        state[_NLI] = state[_RELEVANCE] = ""


def _draw_cache() -> None:
    draw_outcome(_CACHE)
    settings = read_model_settings()
    stored = stored_models()
    total = sum(each.size for each in stored)
    st.text(f"{size_text(total) if stored else 'Nothing so far'}, in {settings.folder}")
    st.caption(f"To keep them elsewhere, set {FOLDER.variable} to another folder.")
    if not stored:
        return
    with shown_problems("This installation cannot run downloaded models."):
        device = choose_device()
        st.text(f"Downloaded models run on {device}, in {device.precision}.")
    for each in stored:
        _draw_stored(each)
    st.button(
        f"Remove all, {size_text(total)}",
        key="remove_all",
        icon=":material/delete_sweep:",
        on_click=_ask_removal,
        args=(stored,),
    )
    if asked := st.session_state.get("models_to_remove"):
        _confirm_removal(asked)


def _draw_stored(stored: StoredModel) -> None:
    key = f"{stored.model_id}@{stored.commit}"
    with st.container(border=True):
        text, buttons = st.columns([3, 1.3], vertical_alignment="center")
        text.html(
            f"<code>{escape(stored.model_id)}</code> at {escape(short_revision(stored.commit))} · "
            f"{size_text(stored.size)}<br><small>{escape(_used_by(stored))}</small>"
        )
        with buttons.container(horizontal=True, horizontal_alignment="right"):
            checked = stored.whole and st.button(
                "Check",
                key=f"check_{key}",
                icon=":material/rule:",
                help="Read every file again and compare it with what was downloaded.",
            )
            st.button(
                "Remove",
                key=f"remove_{key}",
                icon=":material/delete:",
                on_click=_ask_removal,
                args=((stored,),),
            )
        if checked:
            _draw_check(stored)


def _used_by(stored: StoredModel) -> str:
    if not stored.whole:
        return "unfinished: Download continues it"
    of = [
        profile_title(name)
        for name in profile_names()
        if any(map(stored.belongs_to, get_profile(name).public_models))
    ]
    return f"downloaded {stored.downloaded_on} · " + (
        f"for {', '.join(of)}" if of else "for no profile"
    )


def _draw_check(stored: StoredModel) -> None:
    bar = st.progress(0.0, text="Reading the files")
    problems = check_model(stored, bar.progress)
    bar.empty()
    if not problems:
        st.success(f"All {len(stored.files)} files are unchanged since their download.")
        return
    st.error(
        "These files have changed since their download. Remove the model, then download it again."
    )
    st.text("\n".join(f"{each.path.name}: {each.reason}" for each in problems))


def _ask_removal(stored: Sequence[StoredModel]) -> None:
    st.session_state.models_to_remove = tuple(stored)


def _forget_removal() -> None:
    st.session_state.pop("models_to_remove", None)


@st.dialog("Remove downloaded models?", on_dismiss=_forget_removal)
def _confirm_removal(stored: Sequence[StoredModel]) -> None:
    st.text("\n".join(f"{each.model_id} ({short_revision(each.commit)})" for each in stored))
    st.caption(
        f"{size_text(sum(each.size for each in stored))} are freed. You can download them "
        "again; audits made with them do not change."
    )
    if st.button("Remove", type="primary", key="sure_remove", on_click=_remove, args=(stored,)):
        st.rerun()


@allowed(Role.ADMIN, "remove models")
def _remove(stored: Sequence[StoredModel]) -> None:
    _forget_removal()
    freed = 0
    with kept_problems(_CACHE):
        for each in stored:
            freed += remove_stored(each)
        keep_outcome(_CACHE, f"{size_text(freed)} were freed.")
