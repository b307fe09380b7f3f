"""Where what was learned, agreed and changed stands, and in which words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from continuity.knowledge.evidence import ChangedFile, CodeEdit, Keeping, MisusedCommand
from continuity.knowledge.methods import ACCEPTED
from continuity.knowledge.model import AnchorType, Quote, Ref, Request, RequestKind, RequestStep, Situation, Task, TaskStatus, Truth
from handoffs.contract.model import SectionKind
from tests.packages.samples import KNOWLEDGE, anchor, prepared

WORK = Request(2, RequestKind.REQUEST, Quote("Sum the items of each cart, please.", Ref(2)), 20)
PROPOSAL = "I recommend two steps:\n1. Read the totals once\n2. Keep them beside the cart"


def place(label: str, now: Situation) -> list[SectionKind]:
    package = prepared(replace(KNOWLEDGE, requests=(WORK,), situation=now), budget=4000).package
    return [section.kind for section in package.sections for item in section.items if item.label == label]


@pytest.mark.parametrize("instead", ["shop test", ""])
def test_it_works(instead: str) -> None:
    wrong = MisusedCommand("shop run test", 5, "error: unknown command run", instead)
    assert place("misused", Situation(misused=(wrong,))) == [SectionKind.ERRORS]


@pytest.mark.parametrize(("text", "told"), [(PROPOSAL, True), ("I'd read the totals once.", False)])
def test_a_proposal_that_reads_as_a_list_says_who_agreed(text: str, told: bool) -> None:
    taken = anchor(AnchorType.DECISION, text, 6, method=ACCEPTED, rationale="yes, please")
    assert ("The user agreed: yes, please" in prepared(replace(KNOWLEDGE, anchors=(taken,))).text) is told


@pytest.mark.parametrize(("text", "told"), [("Good - the cache holds totals for 60 s.", 0), ("The cache holds totals for 60 s.", 1)])
def test_a_nod_to_what_was_seen_is_no_fact(text: str, told: int) -> None:
    fact = anchor(AnchorType.FACT, text, 6, truth=Truth.CLAIMED, method="fact.found", critical=False)
    package = prepared(replace(KNOWLEDGE, anchors=(fact,), requests=(WORK,)), budget=4000).package
    facts = [item for section in package.sections if section.kind is SectionKind.FACTS for item in section.items if item.key == fact.key]
    assert len(facts) == told


def test_lines_changed_since_a_sketch_was_committed_are_told() -> None:
    sketch = CodeEdit("cart.py", 1, "+def total():\n+  return 0")
    hunk = CodeEdit("cart.py", 8, "-# sums the items\n+# sums the items of one cart")
    changed = (ChangedFile("cart.py", Keeping.UNCOMMITTED, 8),)
    now = Situation(sketches=(sketch,), hunks=(hunk,), changed=changed, commits=(Quote("abc1234 Sum", Ref(4)),))
    assert place("sketch", now) == [SectionKind.VERIFICATION]
    assert place("sketch", replace(now, sketches=())) == []


def test_a_step_that_words_before_a_change_name_since_its_list_was_kept() -> None:

    task = Task("t1", "Sum the items", TaskStatus.IN_PROGRESS, 3, 5, "todo", ("Read them",), ("Write tests for the totals", "Document it"))
    step = RequestStep("Write the tests for the totals of a cart", 9, ("test_cart.py",))
    text = prepared(replace(KNOWLEDGE, tasks=(task,), requests=(replace(WORK, steps=(step,)),)), budget=4000).text
    assert "Write tests for the totals (written since); Document it" in text
