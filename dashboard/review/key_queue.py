"""Keys of the review page that come faster than it is drawn wait in the browser for their turn.

A press means the answer that is in view once everything before it was done. So a key is held until
the server has drawn what the last one led to, and then presses its button. Where a save was
refused, what was typed after it for the next answer does not count, and the page says so. A key
whose button is disabled has the button's help said.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

_KEY = "review_keys"
# Milliseconds: how long a part of the page may be gone while it is drawn again, and how long a
# page that is not being drawn is waited for.
_JS = """
const GONE = 5000, LONGEST = 60000, EVERY = 20;
const EDITABLE = "textarea, select, [contenteditable=true], " +
  "input:not([type=checkbox], [type=radio], [type=range], [type=button])";

function shortcutOf(event) {
  if (event.altKey) return "";
  const one = event.key.length === 1, name = one ? event.key.toUpperCase() : event.key;
  const shift = event.shiftKey && (!one || name !== name.toLowerCase());
  return (event.ctrlKey || event.metaKey ? "Ctrl+" : "") + (shift ? "Shift+" : "") + name;
}

const running = () => {
  const app = document.querySelector("[data-test-script-state]");
  return Boolean(app) && app.dataset.testScriptState !== "notRunning";
};

function refuse(own) {
  const lost = own.queue.length;
  own.queue = [];
  own.clicked = null;
  if (lost) own.tell(lost);
}

function pump(own) {
  window.clearTimeout(own.timer);
  if (!own.queue.length) return;
  const now = performance.now();
  if (own.gone && now - own.gone > GONE) {
    own.queue = [];
    return;
  }
  if (running()) own.since = now;
  if (running() || own.run === own.clicked) {
    if (now - own.since > LONGEST) refuse(own);
    else own.timer = window.setTimeout(() => pump(own), EVERY);
    return;
  }
  const shortcut = own.queue.shift();
  const button = document.querySelector(`.st-key-${own.keys[shortcut]} button`);
  if (button) {
    own.clicked = own.run;
    own.since = now;
    if (button.disabled) own.ask(shortcut);
    else button.click();
  }
  pump(own);
}

export default function ({ data, setTriggerValue }) {
  const own = (window.provenanceKeys ??= { queue: [], clicked: null, since: 0 });
  own.stop?.();
  own.gone = 0;
  own.keys = data.keys;
  own.run = data.run;
  own.tell = (lost) => setTriggerValue("lost", lost);
  own.ask = (shortcut) => setTriggerValue("unavailable", shortcut);
  if (data.refused) refuse(own);
  const pressed = (event) => {
    if (own.gone && performance.now() - own.gone > GONE) {
      own.stop();
      return;
    }
    const shortcut = shortcutOf(event);
    if (!Object.hasOwn(own.keys, shortcut)) return;
    const box = event.target.closest?.(EDITABLE);
    if (box && !event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (event.repeat && own.queue.length) return;
    box?.blur();  // which sends what is typed there
    own.queue.push(shortcut);
    if (own.queue.length === 1) own.since = performance.now();
    pump(own);
  };
  // A button that was clicked draws the page again, too.
  const clicked = (event) => {
    const buttons = Object.values(own.keys).map((key) => `.st-key-${key} button`).join();
    if (!event.isTrusted || !event.target.closest?.(buttons)) return;
    own.clicked = own.run;
    own.since = performance.now();
  };
  const stop = new AbortController();
  window.addEventListener("click", clicked, { signal: stop.signal, capture: true });
  window.addEventListener("keydown", pressed, { signal: stop.signal, capture: true });
  own.stop = () => stop.abort();
  pump(own);
  return () => {
    own.gone = performance.now();
  };
}
"""


def queue_keys(keys: Mapping[str, str], *, refused: bool) -> None:
    """Have the browser press the buttons by their keys, one after the other.

    Called where everything else of the page is drawn. ``keys``: key of the button of each shortcut.
    ``refused``: whether the last action was, so that what was typed after it does not count.
    """
    state = st.session_state
    state.review_run = state.get("review_run", 0) + 1
    with st.container(key="review_keys_room"):
        _component()(
            data={"keys": dict(keys), "run": state.review_run, "refused": refused},
            key=_KEY,
            on_lost_change=_say_lost,
            on_unavailable_change=_say_unavailable,
            height=1,
        )


def _say_lost() -> None:
    lost = st.session_state[_KEY].lost
    if isinstance(lost, int) and lost > 0:
        st.session_state.review_warning = (
            "One keypress was ignored because the previous action was still running. Press it "
            "again."
            if lost == 1
            else f"{lost} keypresses were ignored because the previous action was still running. "
            "Press them again."
        )


def _say_unavailable() -> None:
    state = st.session_state
    state.review_note = state.review_unavailable.get(state[_KEY].unavailable, "")


@st.cache_resource(show_spinner=False)
def _component() -> Any:
    return st.components.v2.component("review_keys", js=_JS)
