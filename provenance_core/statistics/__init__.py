"""Figures of scored rows: metrics, intervals, thresholds, comparison and agreement."""
