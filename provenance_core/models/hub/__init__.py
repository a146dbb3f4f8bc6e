"""Models from a hub, in a cache of huggingface_hub of their own.

The library lists, moves, keeps and deletes. The modules here choose the files that a model is
loaded from, compare them with the checksums that their names in the cache are, with no network,
and say what to do when something goes wrong.
"""
