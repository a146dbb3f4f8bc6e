"""What is in the folder of a public model: weights, classes, tokenizer, known scores."""
