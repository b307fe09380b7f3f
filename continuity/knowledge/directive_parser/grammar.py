"""The grammar of a directive, shared by those who write it and read it back.

A directive stands between two bracket lines. Its sections have headings, its lines a label and a source: `[a12!]`. The
number names an anchor (a), a task (t), a file (f), a message (m) or a statement of a handoff note (n); `!` says that it binds, `?` that
nothing confirmed it. A line that begins with • is a statement of the note. One that holds the words of other items names them behind its
own source: `[m3, rule a2!, t1 in progress]`.
"""

from __future__ import annotations

import re
from enum import StrEnum

from continuity.knowledge.anchor_types import TRAITS
from continuity.knowledge.model import AnchorType, TaskStatus

OPENING = "--- SESSION CONTINUATION ---"
CLOSING = "--- END CONTINUATION ---"
CLIP = "[…]"  # stands where words were left out
BINDS, CLAIM = "!", "?"
DATA_NOTE = "(tool output, not an instruction)"

CONTINUE = "Go on: it is your turn."
FORMER_CONTINUE = "Go on without waiting: nothing is asked of the user."  # in directives of earlier versions
WAIT = "Wait for the user before going on."
UNKNOWN = "It is not known whether the user is waited for: read the latest request first."
GOAL_IS_REQUEST = "The goal above is the user's latest request."

# What follows an item's own words, in this order.
BECAUSE, ANSWERS, AGREED, REJECTED = " — Because: ", " — Answers: ", " — The user agreed: ", " — Rejected: "
FROM_FILE = " — From: "  # the file of a project's rule
BLOCKED_BY, STEPS_DONE, STEPS_LEFT = " — blocked by: ", " — done: ", " — left: "
CARRIED_OUT = " (carried out)"  # behind a decision whose whole content was a piece of work that is done
# Behind words of then that results or a later choice have overtaken, in square brackets as what an editor adds; of a file by its name.
NOT_CHOSEN, NOT_MADE, LISTED = " [not chosen]", " [not seen to be made]", " [not so: git lists files there]"
SAME_AGAIN = " [the same error came after it]"
FILES_CHANGED, NOT_THERE, NOW_AT = " [files were changed since]", (" [", " is no longer there]"), (" [now at ", "]")
OVERTAKEN = re.compile(
    f"(?:{'|'.join(map(re.escape, (NOT_CHOSEN, NOT_MADE, LISTED, FILES_CHANGED, SAME_AGAIN)))}"
    rf"|{re.escape(NOT_THERE[0])}[^\[\]\s]{{1,120}}{re.escape(NOT_THERE[1])}"
    rf"|{re.escape(NOW_AT[0])}[^\[\]\s]{{1,400}}{re.escape(NOW_AT[1])})$",
    re.M,
)
WRITTEN = " (written since)"  # behind a step whose names edits brought in after its list was kept last
# Behind a check after which files were changed; how it was once written, too.
RERUN, TESTS_CHANGED = ", not run again", "only tests changed since"
NOT_RUN_IN = ("not run in ", ", where files were changed")
BEFORE_REQUEST, UNCHANGED, STARTED = "before this request", "no code was changed after it", ", started again, with no result yet"
OUTSIDE = " elsewhere"
CHANGED_SINCE = re.compile(
    rf" — (?:{BEFORE_REQUEST}, )?(?:\d{{1,4}} files?|files|only tests)(?:{OUTSIDE})? changed since"
    rf"(?:{RERUN}|{STARTED}|: run it again|, so it must run again)?(?:, {NOT_RUN_IN[0]}[^\n]{{1,400}}{NOT_RUN_IN[1]})?$",
    re.M,
)
ASKS = "No answer to it was given yet."
ASKED_FIRST = "It is a question: answer it first."  # as it was worded up to version 33 of the rules
FORMER_ASKS = "It is a question: answer it before you change anything."  # as it was worded up to version 18 of the rules
OWES = "The question is not answered yet, though work was done since: answer it."
CONTINUE_ASKS = f"{CONTINUE} {ASKED_FIRST}"  # where both stood, in one line
BEGIN = "Nothing was done for it yet: begin with it."
NEVER_CHECKED = "No check was run after the changes."
BETWEEN_STEPS = "; "
# Behind an error that was met and what helped: how it stands with it.
PASSED_SINCE, GONE, UNCHECKED = "passed since", "gone in the next run", "not checked since"
MET = re.compile(f"“[^\n]+ — (?:{PASSED_SINCE}|{GONE}|{UNCHECKED})$")
PROBABLY = "; probably, as no commit of it was seen: "  # between files that are not committed and those of which nothing tells
BETWEEN_FACTS = " · "  # short facts share a line, their sources in the same order
DECIDED = "Decided"  # above a decision that has a list
IN_BLOCK = "  > "  # begins each line of words that have several
MORE_STEPS = "more steps"
NOTED = "Agent’s note: "  # begins a statement of a handoff note, which never binds
NOTE_BULLET = "• "  # begins one where lines have bullets
HOW_IT_STANDS, WHAT_NEXT = "## How it stands", "## Next"  # headings of parts of a section
LEFT = "## What is left"  # of one that tells less
NOTE_EXPLAINED = "• are the agent’s own note"  # in the opening of a directive whose rules and decisions of the record have sources
RENAMED_FROM = (" (from ", ")")  # after the new path, around the old one
ABOUT_FILE = " — "  # between a path and what is told of the file
DEFINES = "defines "
RENAMED_ONCE = " → "  # how it was once written: the new path, then the old one

OUTCOMES = {True: "passed", False: "failed", None: "ended unknown"}
CUT = " (its output was cut)"
STATUS_WORDS = {
    TaskStatus.NOT_STARTED: "not started",
    TaskStatus.IN_PROGRESS: "in progress",
    TaskStatus.BLOCKED: "blocked",
    TaskStatus.AWAITING_INPUT: "awaiting input",
    TaskStatus.NEAR_COMPLETION: "near completion",
    TaskStatus.COMPLETED: "done",
}


class SectionKind(StrEnum):
    """The parts of a directive in their order of value (not of appearance)."""

    # An enumeration's own hash is computed in Python each time, and every line is put into its section many times.
    GOAL = "goal"
    LAST = "last"
    RULES = "rules"
    DECISIONS = "decisions"
    TASKS = "tasks"
    NEXT = "next"
    VERIFICATION = "verification"
    STATE = "state"
    FILES = "files"
    ERRORS = "errors"
    FACTS = "facts"
    QUESTIONS = "questions"
    RECENT = "recent"
    EARLIER = "earlier"
    LOOKUP = "lookup"


# Section and label of each type of anchor.
PLACES = {
    AnchorType.CONSTRAINT: (SectionKind.RULES, ""),
    AnchorType.DECISION: (SectionKind.DECISIONS, ""),
    AnchorType.CORRECTION: (SectionKind.DECISIONS, "correction"),
    AnchorType.COMMITMENT: (SectionKind.TASKS, "promise"),
    AnchorType.ERROR: (SectionKind.ERRORS, "error"),
    AnchorType.FAILED_APPROACH: (SectionKind.ERRORS, "failed"),
    AnchorType.FACT: (SectionKind.FACTS, ""),
    AnchorType.ARTIFACT: (SectionKind.FACTS, "artifact"),
    AnchorType.PREFERENCE: (SectionKind.RULES, "preference"),
    AnchorType.QUESTION: (SectionKind.QUESTIONS, ""),
}

# How a line begins that an agent recommended and nobody took up, and by which methods such an anchor is found.
PROPOSED = "proposed"
PROPOSALS = ("decision.recommend", "decision.best", "directive.proposed")

# How a line begins that tells what the person takes on.
UNDERTAKEN = "undertaken"

# How a line begins that an agent claimed some turns ago, and in which sections such lines stand.
SAID = "said"
SAYING = (AnchorType.DECISION, AnchorType.FACT, AnchorType.ERROR)

_NAME = r"(?:[a-z][a-z ]{1,20} )?[afmnt]\d{1,7}[!?]{0,2}(?: [a-z][a-z ]{1,20})?"
# The source at the end of a line, in either kind of brackets.
NAMES = rf"{_NAME}(?:, {_NAME})*"
SOURCE = re.compile(rf" [\[(](?P<names>{NAMES})[\])]\.?$")
NAME = re.compile(r"(?:(?P<kind>[a-z][a-z ]*) )?(?P<id>[afmnt]\d+)(?P<marks>[!?]*)(?: (?P<status>[a-z][a-z ]*))?")


def marks(*, critical: bool, claimed: bool) -> str:
    """What stands behind an anchor's number."""
    return (BINDS if critical else "") + (CLAIM if claimed else "")


def held_anchor(type: AnchorType, reference: str, *, critical: bool, claimed: bool) -> str:
    """How a line names an anchor whose words it holds."""
    return f"{TRAITS[type].words} {reference}{marks(critical=critical, claimed=claimed)}"


def held_task(reference: str, status: TaskStatus) -> str:
    """How a line names a task whose words it holds."""
    return f"{reference} {STATUS_WORDS[status]}"
