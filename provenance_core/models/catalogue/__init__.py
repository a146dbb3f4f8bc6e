"""The profiles: which models an audit is made with, the table's and a person's own."""
