"""A handoff's briefing as a page: its lines, their sources in place, and what its readers say of it."""
