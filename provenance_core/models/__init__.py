"""The models: what they are, where their files come from, and how each reads pairs of texts."""
