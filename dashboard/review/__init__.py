"""What the Review page is made of."""
