"""The folder of a public model: its weights, classes, tokenizer and known scores."""
