"""The words of each style: what introduces a section, and what introduces a line by its label."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from continuity.knowledge.directive_parser.grammar import SectionKind


@dataclass(frozen=True, slots=True)
class StyleVocabulary:
    """`headings` introduce sections; `phrases` introduce items by label, with `{}` for their text; a label without a phrase is
    told by its text alone."""

    headings: Mapping[SectionKind, str]
    phrases: Mapping[str, str]


STRUCTURED = StyleVocabulary(
    headings={
        SectionKind.GOAL: "## Request in work",
        SectionKind.LAST: "## The agent’s last words",
        SectionKind.RULES: "## Rules and preferences",
        SectionKind.DECISIONS: "## Decisions",
        SectionKind.FACTS: "## Facts",
        SectionKind.ERRORS: "## Broken, and approaches that failed",
        SectionKind.QUESTIONS: "## Open questions",
        SectionKind.FILES: "## Files",
        SectionKind.TASKS: "## Tasks",
        SectionKind.LOOKUP: "## Left out",
        SectionKind.EARLIER: "## Earlier, as it was then (what stands above overrules it)",
        SectionKind.RECENT: "## History, oldest first",
        SectionKind.STATE: "## Work place",
        SectionKind.VERIFICATION: "## Checks",
        SectionKind.NEXT: "## Now",
    },
    phrases={
        "goal": "The user asked: “{}”",
        "goal before": "Before that the user asked: “{}”",
        "added": "Then the user said: “{}”",
        "offered": "The agent offered or asked: “{}”",
        "answered": "The user answered: “{}”",
        "told": "Reported while working: “{}”",
        "last words": "Said last: “{}”",
        "carried": "A summary of what came before: “{}”",
        "stopped": "→ stopped by the user after: “{}”",
        "work": "→ {}",
        "not": "Not: {}",
        "proposed": "Proposed: {}",
        "said": "Earlier: {}",
        "correction": "Correction: {}",
        "preference": "Preference: {}",
        "artifact": "In use: {}",
        "promise": "Promised and still open: {}",
        "part": "Asked for in particular: “{}”",
        "open": "[ ] {}",
        "done": "[x] {}",
        "error": "Error: {}",
        "failed": "Failed: {}",
        "user": "User: “{}”",
        "agent": "→ Answered: “{}”",
        "made": "→ Done: “{}”",
        "user earlier": "User, earlier: “{}”",
        "agent earlier": "Agent, earlier: “{}”",
        "thought": "The agent’s last thought: “{}”",
        "cwd": "Working directory: {}",
        "branch": "Branch: {}",
        "running": "Still running: “{}”",
        "earlier commit": "Earlier commit: “{}”",
        "commit": "Last commit: “{}”",
        "tree at first": "Working tree as first seen: “{}”",
        "tree": "Working tree as last seen: “{}”",
        "uncommitted": "Changed since the last commit: {}",
        "outside": "Was changed outside the files: “{}”",
        "command": "Ran {}",
        "looked": "Looked at: “{}”",
        "earlier": "Earlier: {}",
        "check": "Last check: {}",
        "also checked": "Also checked with {}",
        "asked": "Asked of the user: “{}”",
        "reported": "Last told to the user: “{}”",
        "request": "Latest request of the user: “{}”",
        "agreed": "The user agreed to: “{}”",
        "agreed before": "The user had agreed to this, and it was answered: “{}”",
        "next step": "Next step: “{}”",
        "begun": "Step in work, begun already: “{}”",
        "since": "Changed since that was said: {}",
        "unanswered": "No result was seen, so find out whether it was done: {}",
        "run again": "To run again, since it failed last: {}",
        "note": "Note from the previous owner: {}",
    },
)
CONCISE = StyleVocabulary(
    headings={
        SectionKind.GOAL: "Request:",
        SectionKind.LAST: "Last words:",
        SectionKind.RULES: "Rules:",
        SectionKind.DECISIONS: "Decided:",
        SectionKind.FACTS: "Known:",
        SectionKind.ERRORS: "Went wrong:",
        SectionKind.QUESTIONS: "Unanswered:",
        SectionKind.FILES: "Files:",
        SectionKind.TASKS: "Work:",
        SectionKind.LOOKUP: "Left out:",
        SectionKind.EARLIER: "Earlier:",
        SectionKind.RECENT: "History:",
        SectionKind.STATE: "State:",
        SectionKind.VERIFICATION: "Check:",
        SectionKind.NEXT: "Now:",
    },
    phrases={
        **STRUCTURED.phrases,
        "promise": "Promised: {}",
        "part": "Asked: “{}”",
        "cwd": "In {}",
        "branch": "On {}",
        "running": "Running: “{}”",
        "tree at first": "Tree at first: “{}”",
        "tree": "Tree: “{}”",
        "outside": "Outside: “{}”",
        "check": "{}",
        "also checked": "Also: {}",
        "request": "Request: “{}”",
        "note": "Note: {}",
    },
)
NARRATIVE = StyleVocabulary(
    headings={
        SectionKind.RULES: "These rules and preferences hold.",
        SectionKind.DECISIONS: "These decisions were made.",
        SectionKind.FACTS: "This is known.",
        SectionKind.ERRORS: "This went wrong.",
        SectionKind.QUESTIONS: "These questions are still open.",
        SectionKind.FILES: "These files were touched.",
        SectionKind.TASKS: "The work stands as follows.",
        SectionKind.LOOKUP: "Not everything is told here.",
        SectionKind.EARLIER: "It came here like this; what stands above overrules it.",
        SectionKind.RECENT: "It came here like this, oldest first.",
        SectionKind.LAST: "These were the agent's last words.",
    },
    phrases={
        "goal": "The user asked for this: “{}”",
        "goal before": "Before that the user had asked: “{}”",
        "added": "Then the user said: “{}”",
        "offered": "The agent had offered or asked: “{}”",
        "answered": "The user answered: “{}”",
        "told": "While working the agent reported: “{}”",
        "last words": "The agent said last: “{}”",
        "carried": "This is a summary of what came before: “{}”",
        "stopped": "The user stopped this after: “{}”",
        "work": "Of this came: {}",
        "not": "It is no longer so, but was earlier, that: {}",
        "proposed": "Proposed, not decided: {}",
        "said": "The agent said earlier: {}",
        "correction": "This correction holds: {}",
        "preference": "The user prefers: {}",
        "artifact": "This is in use: {}",
        "promise": "Promised and still open: {}",
        "part": "The user asked for this in particular: “{}”",
        "open": "Open: {}",
        "done": "Done, not to be done again: {}",
        "error": "An error: {}",
        "failed": "Tried and failed: {}",
        "user": "The user said: “{}”",
        "agent": "The agent answered: “{}”",
        "made": "The agent did this, and told: “{}”",
        "user earlier": "Earlier the user said: “{}”",
        "agent earlier": "Earlier the agent answered: “{}”",
        "thought": "The agent thought last: “{}”",
        "cwd": "The work is in {}",
        "branch": "The branch is {}",
        "running": "Still running: “{}”",
        "earlier commit": "Committed earlier: “{}”",
        "commit": "Committed last: “{}”",
        "tree at first": "At first the working tree was so: “{}”",
        "tree": "The working tree was last seen so: “{}”",
        "uncommitted": "What changed since the last commit: {}",
        "outside": "Outside the files this was changed: “{}”",
        "command": "This was run: {}",
        "looked": "This was looked at: “{}”",
        "earlier": "Earlier: {}",
        "check": "The last check was {}",
        "also checked": "The work is also checked with {}",
        "asked": "The user was asked: “{}”",
        "reported": "The user was told last: “{}”",
        "request": "The user's latest request was: “{}”",
        "agreed": "The user agreed to this: “{}”",
        "agreed before": "The user had agreed to this, and it was answered: “{}”",
        "next step": "The next step is this: “{}”",
        "begun": "This step is in work and was begun already: “{}”",
        "since": "This was changed since that was said: {}",
        "unanswered": "No result of this was seen, so find out whether it was done: {}",
        "run again": "This failed last and is to be run again: {}",
        "note": "The previous owner notes: {}",
    },
)
VOCABULARIES = (STRUCTURED, CONCISE, NARRATIVE)

# What a line of a section is when no heading says it.
BARE_LABELS = {
    SectionKind.GOAL: "Goal: ",
    SectionKind.RULES: "Rule: ",
    SectionKind.DECISIONS: "Decision: ",
    SectionKind.FACTS: "Fact: ",
    SectionKind.QUESTIONS: "Open question: ",
    SectionKind.EARLIER: "Earlier: ",
    SectionKind.VERIFICATION: "Check: ",
}
# Lines that hold a tool's words, between the quotation marks of their phrase.
FROM_TOOLS = frozenset(("running", "commit", "earlier commit", "tree", "tree at first", "outside", "looked"))
# What a line of names begins with, where it is not what was done to the files.
NAMED = {"defines": "Newly defined"}
# The labels of each section's lines; the empty one is a line without a phrase.
LABELS = {
    SectionKind.GOAL: ("goal", "goal before", "added", "offered", "answered", "work"),
    SectionKind.LAST: ("told", "last words", "thought"),
    SectionKind.RULES: ("preference", ""),
    SectionKind.DECISIONS: ("not", "proposed", "correction", "said", ""),
    SectionKind.FACTS: ("artifact", "said", ""),
    SectionKind.ERRORS: ("error", "failed", "said"),
    SectionKind.QUESTIONS: ("",),
    SectionKind.FILES: ("created", "modified", "deleted", "renamed", "read", "defines"),
    SectionKind.TASKS: ("promise", "part", "open", "done"),
    SectionKind.LOOKUP: (),
    SectionKind.EARLIER: (),
    SectionKind.RECENT: ("user", "agent", "made", "stopped", "work", "carried", "user earlier", "agent earlier", "thought"),
    SectionKind.STATE: (
        "cwd",
        "branch",
        "running",
        "earlier commit",
        "commit",
        "tree at first",
        "tree",
        "uncommitted",
        "outside",
        "command",
        "looked",
    ),
    SectionKind.VERIFICATION: ("check", "also checked"),
    SectionKind.NEXT: (
        "request",
        "agreed",
        "agreed before",
        "asked",
        "reported",
        "next step",
        "begun",
        "since",
        "unanswered",
        "run again",
        "note",
    ),
}


# How directives of earlier versions told a label, and what stood above their sections: they are read like those of today.
FORMER = {
    "correction": ("To be corrected: ",),
    "agent": ("Agent: “",),
    "goal": ("The user wants this: “", "Goal: ", ""),
}
FORMER_HEADINGS = {
    "## Goal": SectionKind.GOAL,
    "## Errors and failed approaches": SectionKind.ERRORS,
    "## Work": SectionKind.TASKS,
    "## Last exchanges": SectionKind.RECENT,
    "## State": SectionKind.STATE,
    "## Check": SectionKind.VERIFICATION,
    "## Next": SectionKind.NEXT,
    "Goal:": SectionKind.GOAL,
    "Last said:": SectionKind.RECENT,
    "Next:": SectionKind.NEXT,
    "The last exchanges went like this.": SectionKind.RECENT,
}


def phrase(words: StyleVocabulary, kind: SectionKind, label: str) -> str:
    """How a line of this label is told, with `{}` for its text."""
    if kind is SectionKind.FILES:
        return f"{NAMED.get(label, label.capitalize())}: {{}}"
    return words.phrases.get(label, "{}")
