"""Of what one reader says of a received handoff."""

from __future__ import annotations

# Characters of a comment, of what is missing, and of what names a line.
LONGEST = 500
MOST_WRONG_LINES, MOST_MISSING = 40, 20
