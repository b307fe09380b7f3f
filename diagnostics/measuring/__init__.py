"""Metrics as plain values: which instruments there are, what an event adds to them, and how a scrape reads them. Pure."""
