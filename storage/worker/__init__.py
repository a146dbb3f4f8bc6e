"""The worker process of a batch run."""
