"""A long request of the person that is divided by headings: its parts are kept as they were written, bounded."""

from __future__ import annotations

import json

from continuity.knowledge import FoldState
from continuity.knowledge.inheritance import inherited
from continuity.knowledge.tasks.request_parts import KEPT, SIZE
from tests.knowledge.talk import agent, call, distil, person, result

PLAN = (
    """Implement the following plan:

# Plan: move the ledger

## Context
The ledger lives in one file today, which nobody likes to open.

### 1. Storage — `ledger/storage.py`
Add a `journal` table. Keep the old file readable:

```python
# this is no heading
def journal(): ...
```

### 2. Import
- Read the old file once.
- Refuse a line without a date.

## Verification
Run `make test` and look at the totals.
"""
    + "The totals must agree with the old file to the cent. " * 25
)


def kept(text: str) -> list[str]:
    return [quote.text for quote in distil(person(text)).state.brief]


def test_it_works() -> None:
    context, storage, imports, verification = kept(PLAN)

    assert context.startswith("## Context\nThe ledger lives")
    assert "# this is no heading" in storage and storage.endswith("```")
    assert imports == "### 2. Import\n- Read the old file once.\n- Refuse a line without a date."
    assert verification.startswith("## Verification")


def test_parts_are_verbatim_and_say_where_they_stand() -> None:
    for quote in distil(person(PLAN)).state.brief:
        assert PLAN[quote.ref.start : quote.ref.end] == quote.text


def test_a_short_request_or_one_without_headings_has_no_parts() -> None:
    assert kept("Add a retry.\n\n# One\nsmall thing\n\n# Two\nsmall thing\n\n# Three\nsmall thing") == []
    assert kept("Please move the ledger to a journal table and keep the old file. " * 40) == []


def test_a_later_short_goal_keeps_the_parts_and_a_later_plan_replaces_them() -> None:
    later = "Please add a retry to the payment client of the shop, with a test."
    assert len(distil(person(PLAN), agent("Done."), person(later)).state.brief) == 4
    other = PLAN.replace("## Context\nThe ledger lives in one file today, which nobody likes to open.\n", "")
    assert len(distil(person(PLAN), agent("Done."), person(other)).state.brief) == 3


def test_what_is_kept_is_bounded() -> None:
    huge = "Implement this plan:\n\n" + "".join(f"## Part {n}\n{'ü€漢字😀 must be moved. ' * 90}\n\n" for n in range(200))
    state = distil(person(huge)).state

    assert 0 < len(state.brief) <= KEPT
    assert len(json.dumps([quote.text for quote in state.brief])) < 2 * SIZE


def test_a_successor_knows_the_parts_of_its_predecessor() -> None:
    state = distil(person(PLAN), agent("I'll begin with the storage.")).state
    heir = inherited(FoldState.from_json(json.loads(json.dumps(state.to_json()))))

    assert [quote.text for quote in heir.brief] == [quote.text for quote in state.brief]
    assert {quote.ref.seq for quote in heir.brief} == {-1}


TODO = """---
title: Mend the renaming
---

## Problem
A rename fails with "Permission denied", and our callback is never called, as far as the log tells.

## Solution
To be found out:

1. Whether a rename requires certain permissions
2. Whether our callback is asked at all
"""


def brief_of(words: str, path: str) -> list[str]:
    read = call("Read", "r1", file_path=f"/home/ada/shop/{path}")
    shown = result("\n".join(f"{n:>6}→{line}" for n, line in enumerate(TODO.splitlines(), 1)), "r1")
    return [part.text for part in distil(person(words), read, shown).state.brief]


def test_the_lists_of_a_document_about_the_work_are_what_is_asked_for() -> None:
    (part,) = brief_of("5 seems like a great one to tackle", ".planning/todos/pending/rename.md")
    assert part.startswith("## Solution") and "1. Whether a rename requires certain permissions" in part
    assert len(brief_of("Look at the @docs/rename-plan.md, and do it", "docs/rename-plan.md")) == 1


def test_any_other_document_and_one_beside_a_long_request_are_not() -> None:
    assert brief_of("5 seems like a great one to tackle", "README.md") == []
    assert brief_of("Make @prompts/rename.md shorter", "prompts/rename.md") == []
    assert brief_of(f"5 seems like a great one. {'It has been on my mind for weeks. ' * 12}", "todos/rename.md") == []


def test_a_document_that_is_read_after_a_change_is_not() -> None:
    edited = call("Edit", "e1", file_path="/home/ada/shop/a.py", old_string="a", new_string="b"), result("ok", "e1")
    read = call("Read", "r1", file_path="/home/ada/shop/todos/other.md"), result(TODO, "r1")
    assert distil(person("Note down what is left in a todo"), *edited, *read).state.brief == ()
