"""What the Benchmarks page is made of."""
