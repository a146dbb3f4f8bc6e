"""Texts into what is scored: sentences, chunks, premises, claims, phrases. Imports types alone."""
