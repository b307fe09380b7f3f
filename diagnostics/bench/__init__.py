"""Measuring the services on a real database, side by side with what is specified."""
