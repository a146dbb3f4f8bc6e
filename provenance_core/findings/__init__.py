"""What the explanation names: numbers, dates, names, denials and opposites that a context lacks."""
