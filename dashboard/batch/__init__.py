"""What the Batch page is made of."""
