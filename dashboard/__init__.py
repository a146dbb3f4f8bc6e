"""What the pages are made of: reading files, drawing audits, reports. Computes no score."""
