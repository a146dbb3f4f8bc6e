"""What it takes a person to get ten tasks done on the pages."""
