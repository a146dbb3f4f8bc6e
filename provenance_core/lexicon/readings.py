"""How much of what was read in texts is kept for the next claim and the next answer."""

from __future__ import annotations

# Texts of which each reader keeps what it read: memory does not grow with a file's rows.
READINGS_KEPT = 1024
