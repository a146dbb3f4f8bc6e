"""The profiles, which name the models of an audit: those of the table, and a person's own."""
