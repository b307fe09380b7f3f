"""Commands that put the client into tools, or that tools call."""
