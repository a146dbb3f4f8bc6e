"""What it takes a person to get five tasks done on the pages."""
