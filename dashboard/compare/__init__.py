"""What the Compare page is made of."""
