"""A language model as judge: its settings, prompts, client and reply."""
