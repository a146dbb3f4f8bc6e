"""Choosing a threshold from labelled scores, with the uncertainty of what is chosen."""
