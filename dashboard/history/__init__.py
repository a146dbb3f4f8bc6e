"""What the History page is made of."""
