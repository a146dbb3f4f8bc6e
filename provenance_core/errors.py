"""The errors that the core raises, each with a message fit to be shown to a person."""

from __future__ import annotations


class ProvenanceError(Exception):
    """Base of all errors of this package."""


class InputError(ProvenanceError, ValueError):
    """The query, answer, context or a file cannot be used; the message says how to fix it."""


class NotReadError(InputError):
    """An audit cannot be drawn under other settings: they need chunks that no model read."""


class ModelError(ProvenanceError):
    """A model cannot be loaded or does not match its manifest."""


class JudgeError(ModelError):
    """The judge's endpoint is not set, cannot be reached or fails: no answer can be judged."""


class JudgeReplyError(InputError):
    """The judge gave no usable reply about these texts; about others it may."""
