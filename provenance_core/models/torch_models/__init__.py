"""Public models, which torch runs: devices, architectures, and how each reads a pair."""
