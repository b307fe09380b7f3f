"""The list that the work goes by as a block of a directive."""

from __future__ import annotations

from continuity.transcripts.base.model import Message
from tests.knowledge.outcomes.test_code_excerpts import SOURCE, shown
from tests.knowledge.requests.test_work_items import ASKED, FOUND, edit
from tests.knowledge.talk import agent, call, distil, ran, result
from tests.packages.samples import prepared

BEGUN = agent("Now **Fix 2: the docstring on `DeleteBranches`**")


def told(*messages: Message | tuple[Message, ...], budget: int = 4000) -> str:
    return prepared(distil(ASKED, *messages).knowledge, budget=budget).text


def test_it_works() -> None:
    text = told(FOUND, BEGUN, *edit("cleanup.go", 2, ends=False))
    assert (
        "- Point by point [m2]:\n"
        "  > 0 of 3 done, 1 begun, 1 open, 1 without a change\n"
        "  > 1. OPEN: **Copilot** — `discardSession` in `fix.go` lost idempotency: it fails where the branch is gone.\n"
        "  > 2. BEGUN: **Copilot** — Stale docstring on `DeleteBranches` in `cleanup.go`. → cleanup.go (no result was seen)\n"
        "  > 3. no change: **bot** — Duplication between `temporary.go` and `common.go`. Acknowledged, low priority.\n"
    ) in text
    assert "Reported while working" not in text and text.count("lost idempotency") == 1, "it is told once"


def test_the_code_at_the_place_of_an_open_point_stands_with_it() -> None:
    text = told(FOUND, shown("fix.go", SOURCE), BEGUN, *edit("cleanup.go", 2, ends=False))
    assert "  >    in fix.go:283, as it was read:\n  >    // discardSession removes a session and cleans up its branch.\n" in text
    assert "Code that was read" not in text


def test_what_a_search_for_it_found_stands_with_it() -> None:
    sought = (call("Grep", "g1", pattern="staleDocstring"), result("cleanup.go:12: func staleDocstring() string {", "g1"))
    found = "  >    found: staleDocstring → cleanup.go:12: func staleDocstring() string {\n"
    assert found in told(FOUND, *sought, agent("Now **Fix 1: `discardSession` idempotency**"))


def test_what_is_done_says_whether_it_was_checked() -> None:
    done = (BEGUN, *edit("cleanup.go", 2), agent("Now the rest."))
    assert "1 of 3 done, 1 open, 1 without a change, and nothing was checked since" in told(FOUND, *done)
    assert "and nothing was checked since" not in told(FOUND, *done, *ran("go test ./...", "ok"), agent("Good."))


def test_little_room_has_the_numbers() -> None:
    text = told(FOUND, BEGUN, *edit("cleanup.go", 2, ends=False), budget=900)
    assert "begun: 2" in text or "2. BEGUN" in text


def test_a_step_that_a_point_tells_is_not_told_again() -> None:
    first = (agent("**Fix 1: Tolerate a branch for `discardSession` that git does not know**"), *edit("fix.go", 1))
    second = (agent("Update the callers of it, too."), *edit("callers.go", 2), agent("Look at the rest."), *edit("rest.go", 3))
    text = told(FOUND, *first, *second, agent("Now the next one."))
    assert "→ Tolerate a branch for `discardSession` that git does not know: fix.go\n" in text
    assert text.count("Tolerate a branch") == 1
