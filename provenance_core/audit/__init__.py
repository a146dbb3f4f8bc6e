"""One audit, from texts through a detector to a result that can be stored and drawn again."""
