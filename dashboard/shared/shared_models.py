"""The models that all sessions share: one load a process."""

from __future__ import annotations

import streamlit as st

from provenance_core.audit.loaded_profiles import loaded_profiles
from storage.worker.shared_models import SharedModels


def shared_models(profile: str) -> SharedModels:
    """The models of ``profile``, loaded now where they are not in memory. ModelError when they
    cannot be; the other profiles in memory can still be used."""
    loaded = loaded_profiles()
    if profile not in loaded.names:
        with st.spinner("Loading the models…"), loaded.use(profile):
            pass
    return SharedModels(profile, loaded)
