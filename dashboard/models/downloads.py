"""Downloads of models in the background: they go on while the pages are changed or closed."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

import streamlit as st

from provenance_core import ModelError
from provenance_core.models.catalogue.profiles import Profile
from provenance_core.models.hub.download import DownloadState, get_model


class _Stopped(Exception):
    """The person who looks on has stopped the download."""


@dataclass(slots=True)
class Download:
    """The download of a profile's models, one after another, in a thread of its own. ``state``: how
    far the present model is, None before its first bytes; ``problem``: why it ended, in sentences,
    "" while it runs and when it is done or was stopped."""

    profile: Profile
    state: DownloadState | None = None
    problem: str = ""
    active: bool = True
    _stop: threading.Event = field(default_factory=threading.Event)

    def run(self) -> None:
        """Download everything; called in the thread."""
        try:
            for model in self.profile.public_models:
                self.state = None
                get_model(model, self._show)
        except ModelError as error:
            self.problem = str(error)
        except _Stopped:
            pass
        except BaseException as error:  # else the page would wait for a thread that is gone
            self.problem = f"The download ended: {type(error).__name__}: {error}"
            raise
        finally:
            self.active = False

    def stop(self) -> None:
        """End it at the next bytes; the files that arrived are kept."""
        self._stop.set()

    @property
    def stopping(self) -> bool:
        """Whether it was told to end and has not so far."""
        return self.active and self._stop.is_set()

    def _show(self, state: DownloadState) -> None:
        self.state = state
        if self._stop.is_set():
            raise _Stopped


class Downloads:
    """The downloads of this process by the names of their profiles; for all sessions."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._found: dict[str, Download] = {}

    def start(self, profile: Profile) -> None:
        """Begin a download, unless it is under way."""
        with self._lock:
            before = self._found.get(profile.name)
            if before is not None and before.active:
                return
            download = self._found[profile.name] = Download(profile)
            name = f"download-{profile.name}"
            threading.Thread(target=download.run, name=name, daemon=True).start()

    def of(self, name: str) -> Download | None:
        """The last download for the profile of that name, under way or ended."""
        return self._found.get(name)

    def forget(self, name: str) -> None:
        """Drop what is known of a download that has ended."""
        with self._lock:
            found = self._found.get(name)
            if found is not None and not found.active:
                del self._found[name]

    def any_active(self) -> bool:
        """Whether one is under way."""
        return any(each.active for each in list(self._found.values()))


@st.cache_resource(show_spinner=False)
def downloads() -> Downloads:
    """The downloads of this process."""
    return Downloads()
