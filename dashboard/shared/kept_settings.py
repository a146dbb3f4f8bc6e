"""The settings of the sidebar survive a reload of the page.

The browser keeps them in the session storage of its tab, as it keeps the form: no server and no
address holds them, and they end with the tab. An audit that is opened by its link sets the sidebar
to its own settings; those that were chosen beside the same audit count over them, but for a
threshold that the link names, and the person's own come back when it is left. A preset that was
made the default since then counts over what was kept.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import streamlit as st

from dashboard.shared.access import visitor
from provenance_core import DETECTORS, InputError, Parameters
from provenance_core.audit.serialization import from_plain, to_plain

_KEY = "kept_settings"
_JS = """
const PLACE = "provenance-settings";

function kept() {
  try {
    return JSON.parse(window.sessionStorage.getItem(PLACE));
  } catch {
    return null;
  }
}

// What was chosen beside the same audit, under the threshold that the address names. One that was
// looked at with another detector is none of the link's.
function beside(found, data) {
  const { parameters } = data.settings;
  if (!data.linked) return found.settings;
  if (found.settings.parameters.detector !== parameters.detector) return data.settings;
  const threshold = parameters.threshold;
  return { ...found.settings, parameters: { ...found.settings.parameters, threshold } };
}

export default function ({ data, setTriggerValue }) {
  if (!window.provenanceSettings) {
    window.provenanceSettings = true;
    const found = kept();
    if (found && found.owner === data.owner && found.start === data.start && found.left) {
      const left = found.left, same = found.audit === data.audit;
      const settings = !data.audit ? left : same ? beside(found, data) : data.settings;
      if (JSON.stringify([settings, left]) !== JSON.stringify([data.settings, data.left])) {
        setTriggerValue("found", { settings, left });
        return;
      }
    }
  }
  try {
    window.sessionStorage.setItem(PLACE, JSON.stringify(data));
  } catch {
    window.sessionStorage.removeItem(PLACE);
  }
}
"""


@dataclass(frozen=True, slots=True)
class KeptSettings:
    """Settings as the browser kept them. ``preset``: number of the preset that they were chosen
    by; None without one."""

    parameters: Parameters
    profile: str
    preset: int | None


def keep_settings(
    settings: KeptSettings,
    left: KeptSettings,
    start: int,
    take: Callable[[KeptSettings, KeptSettings], None],
) -> None:
    """Have the browser keep ``settings`` and ``left``, and call ``take`` with those that it kept
    before the page was loaded again, before the page is drawn next. ``left``: those that count
    when the open audit is left. ``start``: number of the preset that the session began with; 0
    without one."""
    state = st.session_state
    with st.container(key="kept_settings_room"):
        _component()(
            data={
                "owner": sha256(visitor().id.encode("utf-8")).hexdigest(),
                "audit": st.query_params.get("audit", ""),
                "linked": bool(st.query_params.get("threshold", "")),
                "start": start,
                "settings": to_plain(settings),
                "left": to_plain(left),
            },
            key=_KEY,
            on_found_change=lambda: _take(state[_KEY].found, take),
            height=1,
        )


def read_settings(found: object) -> KeptSettings | None:
    """What a browser says that it kept; None where it is nothing of the kind, or of another
    version."""
    if not isinstance(found, Mapping):
        return None
    try:
        settings = from_plain(KeptSettings, dict(found))
    except InputError:
        return None
    return settings if settings.parameters.detector in DETECTORS else None


def _take(found: object, take: Callable[[KeptSettings, KeptSettings], None]) -> None:
    if not isinstance(found, Mapping):
        return
    settings, left = read_settings(found.get("settings")), read_settings(found.get("left"))
    if settings is not None and left is not None:
        take(settings, left)


@st.cache_resource(show_spinner=False)
def _component() -> Any:
    return st.components.v2.component("kept_settings", js=_JS)
