"""What the Thresholds page is made of."""
