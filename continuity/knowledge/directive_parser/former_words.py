"""The words of directives of earlier versions, which are read like those of today."""

from __future__ import annotations

from continuity.knowledge.directive_parser.grammar import SectionKind

# How they told a label, and what stood above their sections.
FORMER = {
    "uncommitted": ("Changed since the last commit: ", "What changed since the last commit: "),
    "begun": ("Step in work, begun already: “",),
    "offered": ("The agent offered or asked: “", "The agent had offered or asked: “"),
    "offer": ("The agent asked or offered: “", "The agent asked or offered this: “"),
    "correction": ("To be corrected: ",),
    "agent": ("Agent: “",),
    "edit": ("Edited last, as it stands: “", "This was edited last: “"),
    "sketch": ("Changed, in short: “", "This was changed, in short: “"),
    "sketched": ("→ changed, in short: “", "In short, this was changed: “"),
    "unknown": ("Changed, and no commit of it was seen: ", "This was changed, and no commit of it was seen: "),
    "step": ("Part: ", "A part of it: "),
    "goal": ("The user wants this: “", "Goal: ", ""),
}
FORMER_HEADINGS = {
    "These were the agent's last words.": SectionKind.LAST,
    "## The request in full": SectionKind.GOAL,
    "## Request in work": SectionKind.GOAL,
    "## The agent’s last words": SectionKind.LAST,
    "## What the agent said last": SectionKind.LAST,
    "## Remaining, and done": SectionKind.TASKS,
    "## Rules and preferences": SectionKind.RULES,
    "## Facts": SectionKind.FACTS,
    "## Broken, and approaches that failed": SectionKind.ERRORS,
    "## Problems, and approaches that failed": SectionKind.ERRORS,
    "## Tasks": SectionKind.TASKS,
    "## Left out": SectionKind.LOOKUP,
    "## Code in flux": SectionKind.VERIFICATION,
    "In flux:": SectionKind.VERIFICATION,
    "## Checks": SectionKind.VERIFICATION,
    "## Goal": SectionKind.GOAL,
    "## Errors and failed approaches": SectionKind.ERRORS,
    "## Work": SectionKind.TASKS,
    "## Last exchanges": SectionKind.RECENT,
    "## State": SectionKind.STATE,
    "## Check": SectionKind.VERIFICATION,
    "## Next": SectionKind.NEXT,
    "Goal:": SectionKind.GOAL,
    "Request:": SectionKind.GOAL,
    "Check:": SectionKind.VERIFICATION,
    "Last said:": SectionKind.RECENT,
    "Next:": SectionKind.NEXT,
    "The last exchanges went like this.": SectionKind.RECENT,
}
