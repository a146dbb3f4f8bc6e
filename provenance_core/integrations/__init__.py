"""Audits inside the tools of others, each with an extra of its own."""
