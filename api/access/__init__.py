"""Who may come in, and what they may do: roles, tokens and addresses, for pages and programs."""
