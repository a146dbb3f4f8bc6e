"""Models from a hub: what it has, the download, and the cache on disk with its checksums."""
