"""Our engines beside the other ways to score the same pairs."""
