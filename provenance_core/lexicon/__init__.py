"""Words and what they mean: units, numerals, stems, function words, opposites."""
