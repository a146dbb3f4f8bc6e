"""Files that people bring: labelled data sets, batches of answers and context to paste."""
