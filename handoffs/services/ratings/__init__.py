"""Ratings of received handoffs: writing and reading them."""
