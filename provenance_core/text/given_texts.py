"""What answers call the context that they were given, as parts of patterns."""

GIVEN = r"(?:provided|given|available|supplied|retrieved|above|following|present)"
THE = r"(?:the|this|these|your)"
