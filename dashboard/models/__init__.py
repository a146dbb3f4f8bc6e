"""What the Models page is made of."""
