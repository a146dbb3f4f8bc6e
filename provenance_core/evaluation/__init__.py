"""Scoring labelled rows: reading them, methods, metrics with intervals, trivial baselines."""
