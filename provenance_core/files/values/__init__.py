"""What one value of a record means: a text, a list of texts, a label, nothing."""
