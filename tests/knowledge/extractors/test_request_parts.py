"""A long request of the person that is divided by headings: its parts are kept as they were written, bounded."""

from __future__ import annotations

import json

from continuity.knowledge import FoldState
from continuity.knowledge.inheritance import inherited
from continuity.knowledge.tasks.request_parts import KEPT, SIZE
from tests.knowledge.talk import agent, distil, person

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
