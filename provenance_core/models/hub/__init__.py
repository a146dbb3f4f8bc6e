"""Models from a hub: its repositories, the download, and the cache on disk with its checksums."""
