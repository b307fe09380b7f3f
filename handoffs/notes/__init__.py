"""The handoff note: its form, and the check of each statement against what is known. Pure."""
