"""A made-up team's fortnight: what was worked on, by whom, with which tools, written as sessions are. Pure; nothing here is real."""
