"""How much of what must survive stands in a context: labels or a session's own future in, figures out."""
