"""What the Audit page is made of."""
