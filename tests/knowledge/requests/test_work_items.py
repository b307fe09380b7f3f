"""The points of a list that the work goes by, and what became of each."""

from __future__ import annotations

import pytest

from continuity.knowledge.requests.work_items import ItemState, WorkList, work_list
from continuity.transcripts.base.model import Message
from tests.knowledge.talk import CWD, agent, call, distil, person, ran, result

ASKED = person("/github-pr-review")
FOUND = agent(
    "I read the comments.\n\n"
    "1. **Copilot** — `discardSession` in `fix.go` lost idempotency: it fails where the branch is gone.\n"
    "2. **Copilot** — Stale docstring on `DeleteBranches` in `cleanup.go`.\n"
    "3. **bot** — Duplication between `temporary.go` and `common.go`. Acknowledged, low priority.\n\n"
    "Let me fix the actionable ones (1, 2)."
)


def edit(name: str, number: int, *, ends: bool = True) -> tuple[Message, ...]:
    made = call("Edit", f"e{number}", file_path=f"{CWD}/{name}", old_string=f"line {number}", new_string=f"other line {number}")
    return (made, result("ok", f"e{number}")) if ends else (made,)


def told(*messages: Message | tuple[Message, ...]) -> WorkList | None:
    return work_list(distil(ASKED, *messages).knowledge)


def states(found: WorkList | None) -> dict[str, str]:
    return {item.mark: item.state.value for item in found.items} if found else {}


def test_it_works() -> None:
    found = told(FOUND, agent("**Fix 1: `discardSession` idempotency (fix.go)**"), *edit("fix.go", 1), agent("Now the next one."))
    assert states(found) == {"1": "done", "2": "open", "3": "no change"}
    assert found is not None and found.seq == 2 and found.items[0].files == ("fix.go",)


def test_a_point_is_begun_until_the_agent_goes_on_to_something_else() -> None:
    first = agent("Now **Fix 1: `discardSession` idempotency**")
    assert states(told(FOUND, first)) == {"1": "begun", "2": "open", "3": "no change"}
    unwritten = told(FOUND, first, *edit("fix.go", 1, ends=False))
    assert unwritten is not None and unwritten.items[0].unwritten == ("fix.go",)
    assert states(told(FOUND, first, *edit("fix.go", 1)))["1"] in ("begun", "done")


def test_what_is_announced_is_what_is_changed_next() -> None:
    work = (agent("**Fix 2: the docstring of `DeleteBranches`**"), agent("Tabs, not blanks here."), *edit("cleanup.go", 2))
    found = told(FOUND, *work, agent("Next I look at the other one."))
    assert found is not None and found.items[1].files == ("cleanup.go",)


def test_where_other_changes_may_be_for_a_point_its_state_is_not_told() -> None:
    plan = agent(
        "Both are bugs. The plan:\n\n1. In `PostCommit`, store `pendingId`\n2. In `turnEnd`, check for others\n3. Write tests for both"
    )
    first = (agent("Fix 1: store `pendingId` in `PostCommit`"), *edit("hooks.go", 1))
    work = (*first, agent("Add the new ones."), *edit("hooks_test.go", 2))
    assert states(told(plan, *work, ran("go test", "ok"), agent("It works.")))["3"] == ItemState.UNKNOWN.value


@pytest.mark.parametrize(
    "words",
    [
        "Fix 1: hash prefix guard",  # of another list
        "Now fix 7: the docstring",
        "Now I change fix.go.",
    ],
)
def test_where_nothing_binds_nothing_is_told(words: str) -> None:
    assert told(FOUND, agent(words), *edit("other.go", 1), agent("Good.")) is None


def test_a_list_that_is_announced_and_not_begun_is_open() -> None:
    assert states(told(FOUND, *ran("cat fix.go", "x"), agent("I see how it is done."))) == {"1": "open", "2": "open", "3": "no change"}
    explained = agent("It goes so:\n\n1. `open` in `a.go` gets the head\n2. `close` in `b.go` writes it\n\nThat is all.")
    assert told(explained, agent("I look on.")) is None, "nothing is to be done about it"
    made = agent(
        "Done. I've added it to both:\n\n1. `setup.go` writes `logs`\n2. `common.go` adds `logs`\n\nLet me run tests and fix them."
    )
    assert told(made, agent("They pass.")) is None, "it tells what was done"


@pytest.mark.parametrize(
    ("words", "state"),
    [
        ("`load` in `a.go` accepts invalid input and skips the check.", "open"),
        ("A stale TODO stands in `a.go`, and `defer close()` comes later.", "open"),
        ("`load` in `a.go` is by design as it is. Not an issue.", "no change"),
        ("`load` in `a.go` is slow. Out of scope.", "postponed"),
        ("`load` in `a.go` leaks - Already fixed.", "already done"),
    ],
)
def test_only_a_verdict_of_the_agent_says_that_nothing_is_to_be_done(words: str, state: str) -> None:
    listed = agent(f"1. `discardSession` in `fix.go` lost idempotency\n2. {words}\n\nLet me fix them.")
    first = (agent("Fix 1: `discardSession` idempotency"), *edit("fix.go", 1), agent("Now I look on."))
    assert states(told(listed, *first)) == {"1": "done", "2": state}


def test_one_statement_that_names_every_point_binds_none() -> None:
    every = agent("Fix 1: `discardSession` idempotency, fix 2: docstring on `DeleteBranches`, fix 3: duplication in `common.go`")
    assert told(FOUND, every, *edit("fix.go", 1), agent("Good.")) is None


def test_points_that_the_person_names_by_ids_are_known_from_tasks_and_words() -> None:
    asked = person("Address the findings H1, H2, M3 and L4.")
    made = [
        (call("TaskCreate", f"t{n}", subject=words, description="-"), result(f"Task #{n} created successfully: {words}", f"t{n}"))
        for n, words in enumerate(("H1: Re-wrap the keys", "H2: Check the fields"), start=1)
    ]
    work = [message for n, name in ((1, "keys.ts"), (2, "fields.ts")) for message in (*begun(n), *edit(name, n), *ended(n))]
    said = agent("**L items**: M3 (key is not zeroed) - accept as tech debt. L4 (no pagination) - create a todo for future.")
    found = work_list(distil(asked, *made, *work, said, agent("Now the report.")).knowledge)
    assert states(found) == {"H1": "done", "H2": "done", "M3": "no change", "L4": "postponed"}
    assert found is not None and found.of_person and found.items[1].files == ("fields.ts",)
    assert work_list(distil(asked, agent("I begin."), *edit("x.ts", 1)).knowledge) is None


def begun(number: int) -> tuple[Message, ...]:
    return call("TaskUpdate", f"b{number}", taskId=str(number), status="in_progress"), result("Updated", f"b{number}")


def ended(number: int) -> tuple[Message, ...]:
    return call("TaskUpdate", f"d{number}", taskId=str(number), status="completed"), result("Updated", f"d{number}")
