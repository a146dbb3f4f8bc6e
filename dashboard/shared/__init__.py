"""What several pages are made of: filters, links, export, settings, caches."""
