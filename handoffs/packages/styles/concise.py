"""As few words as will do: short headings, no introduction."""

from __future__ import annotations

from handoffs.packages.model import SectionKind
from handoffs.packages.styles.manner import Manner
from handoffs.packages.styles.structured import MANNER as STRUCTURED

MANNER = Manner(
    opening="",
    headings={
        SectionKind.GOAL: "Goal:",
        SectionKind.RULES: "Rules:",
        SectionKind.DECISIONS: "Decided:",
        SectionKind.FACTS: "Known:",
        SectionKind.ERRORS: "Went wrong:",
        SectionKind.QUESTIONS: "Unanswered:",
        SectionKind.FILES: "Files:",
        SectionKind.TASKS: "Work:",
        SectionKind.LOOKUP: "Left out:",
        SectionKind.EARLIER: "Earlier:",
        SectionKind.RECENT: "Last said:",
        SectionKind.STATE: "State:",
        SectionKind.VERIFICATION: "Check:",
        SectionKind.NEXT: "Next:",
    },
    phrases={
        **STRUCTURED.phrases,
        "promise": "Promised: {}",
        "cwd": "In {}",
        "branch": "On {}",
        "running": "Running: {}",
        "check": "{}",
        "request": "Request: “{}”",
        "note": "Note: {}",
    },
    section_end="",
)
