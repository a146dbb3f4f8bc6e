"""The support map fitted to own labels, and what it gains on rows it has not seen."""
