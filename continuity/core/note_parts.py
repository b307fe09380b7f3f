"""The parts of a handoff note, in their order: what an outgoing agent tells its successor. Read by client, API, MCP and check alike."""

from __future__ import annotations

# Name of the part, and what belongs into it.
PARTS = {
    "request": "what the person wants now, in their words where they are short",
    "now": "what is true now: what is done, what is not, what is broken, what was not checked",
    "next": "the next action, with its command",
    "remaining": "what is left to do after that, in order",
    "rules": "standing rules of the person or of the project, nothing else",
    "decisions": "what was chosen, against what, and why",
    "broken_approaches": "what was tried, why it failed, what is still untried",
    "history": "how the work came here: what was asked and what became of it, in order",
    "files": "each file that matters: what changed in it, and what it still needs",
    "lessons": "facts and lessons that outlive the task",
}
# Those that tell the present: whatever happens after the note may change them.
PRESENT = frozenset(("request", "now", "next", "remaining"))
# Statements of a part, characters of a statement, and characters of the note's JSON, at most.
MOST, LONGEST, WHOLE = 30, 500, 200_000
