"""The arithmetic of the paper: support, selection, aggregation and tracing. Asks no model."""
