"""Figures of operation: uptime, stops, what teams measure themselves, and what is so at this moment."""
