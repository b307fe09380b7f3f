"""What a long request or plan is for, by its labelled lines and its drawing."""

from __future__ import annotations

from continuity.knowledge.requests.document_points import document_points

PLAN = """
# Plan

## Bug 1: Logs

**Root cause**: `init()` is never called. It falls back to the terminal.

**Fix**: Call it at the start of the command.

**File**: `cmd/clean.go:49` where the command begins

## Changes

1. Add the call

### Scope note
The other package can not import it, so it calls git itself. More follows.
"""
DRAWN = """
```
Turn ends (hook)
   │
   ├── Save the changes
   └── [NEW] If the review is on:
       │
       └── Start the worker
           ├── Sleep ~10s
           └── Write REVIEW.md
```
"""


def test_it_works() -> None:
    assert document_points(PLAN) == [
        "- Bug 1: Logs: Root cause: `init()` is never called.",
        "- Fix: Call it at the start of the command.",
        "- Scope note: The other package can not import it, so it calls git itself.",
    ]


def test_a_drawing_is_told_in_one_line() -> None:
    (flow,) = document_points(DRAWN)
    assert flow == "Flow: Turn ends (hook) → Save the changes → If the review is on → Start the worker → Sleep ~10s → Write REVIEW.md"


def test_a_document_without_labels_has_no_points() -> None:
    assert document_points("# Plan\n\n## Steps\n\n1. Add it\n2. Test it\n\n**File**: a.go is where it stands now") == []
    assert document_points("```go\nfunc f() {\n  return 1\n}\n```") == []
