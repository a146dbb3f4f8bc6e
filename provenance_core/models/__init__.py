"""The models: the catalogue of profiles, the download, and how each model reads pairs of texts."""
