"""The briefing as people read it: a directive's text by sections, lines and sources, for a page and for ratings."""

from handoffs.briefing.line_lookup import AMBIGUOUS, MISSING, find_line
from handoffs.briefing.model import Briefing, BriefingLine, BriefingSection, BriefingSource, TextRun
from handoffs.briefing.reader import key_of_words, read_briefing

__all__ = [
    "AMBIGUOUS", "MISSING", "Briefing", "BriefingLine", "BriefingSection", "BriefingSource", "TextRun", "find_line", "key_of_words",
    "read_briefing",
]  # fmt: skip
