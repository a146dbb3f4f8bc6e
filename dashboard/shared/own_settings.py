"""A person's own settings wait while the sidebar shows those of an opened audit.

An audit that is opened sets the sidebar to its own settings. A new audit begins with the person's
own again, and with what the person changed beside the opened one. A threshold that it was only
looked at under is no such change.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

from dashboard.shared.kept_settings import KeptSettings
from provenance_core import Parameters

_NAMES = tuple(field.name for field in fields(Parameters))


@dataclass(frozen=True, slots=True)
class OpenedAudit:
    """The audit whose settings the sidebar took. ``shown``: those. ``own``: the settings that the
    person had."""

    audit_id: int
    shown: KeptSettings
    own: KeptSettings

    def left(self, now: KeptSettings) -> KeptSettings:
        """The settings of a new audit, where the sidebar has ``now``."""
        return self._merged(now, with_threshold=False)

    def audited(self, now: KeptSettings) -> KeptSettings:
        """As :meth:`left`, where an audit was made under ``now``: its threshold counts too."""
        return self._merged(now, with_threshold=True)

    def _merged(self, now: KeptSettings, *, with_threshold: bool) -> KeptSettings:
        was, own, given = self.shown.parameters, self.own.parameters, now.parameters
        other_profile = now.profile != self.shown.profile
        changed = {name for name in _NAMES if getattr(given, name) != getattr(was, name)}
        if other_profile or given.detector != was.detector:
            # The slider was set to the threshold of what was chosen.
            changed.add("threshold")
        elif not with_threshold:
            changed.discard("threshold")
        if other_profile:
            changed.add("detector")
        return KeptSettings(
            replace(own, **{name: getattr(given, name) for name in sorted(changed)}),
            now.profile if other_profile else self.own.profile,
            None if other_profile else self.own.preset,
        )
