"""Texts into what is scored: sentences, chunks, premises and claims, checks of the input."""
