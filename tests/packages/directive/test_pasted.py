"""What a person pasted beside a request, told with it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from continuity.knowledge.model import Quote, Ref, Request, RequestKind
from handoffs.budgeting.limits import limits_for
from handoffs.contract.model import Style
from handoffs.directive.past.history import history_candidates
from tests.knowledge.talk import agent, distil, person
from tests.packages.samples import KNOWLEDGE, prepared

LOG = "\n".join(
    (
        "--- FAIL: TestReverted (3.40s)",
        *(f"    hooks.go:{n}: captured state {n}" for n in range(200, 212)),
        "    final_test.go:808: Second commit should NOT have a trailer, got 7940d55",
        "FAIL",
    )
)


@pytest.mark.parametrize("style", list(Style))
def test_it_works(style: Style) -> None:
    known = distil(person("Fix the hooks."), agent("Done."), person(f"why does it fail?\n\n{LOG}")).knowledge
    text = prepared(known, style=style).text
    assert "Second commit should NOT have a trailer, got 7940d55" in text


def test_of_a_paste_alone_more_lines_are_told_than_of_one_beside_a_request() -> None:
    lines = "\n".join(
        f"    {name}_test.go:{n}: {name} should be {n} as all the lines around it say, and it is what nobody has set: got 0"
        for n, name in enumerate(["cart", "shop", "shelf", "till", "door"], 7)
    )
    log = f"--- FAIL: TestReverted (3.40s)\n{lines}\nFAIL"
    alone = prepared(distil(person("Fix the hooks."), agent("Done."), person(log)).knowledge, budget=4000).text
    beside = prepared(distil(person("Fix the hooks."), agent("Done."), person(f"why?\n\n{log}")).knowledge, budget=4000).text
    assert all(f"{name} should be" in alone for name in ("cart", "shop", "shelf", "till", "door"))
    assert "cart should be" not in beside


def test_a_short_paste_is_told_whole_and_lines_alike_are_not() -> None:
    quoted = 'copilot says:\n\n"""\nWhen the setting is empty, the output is `enabled ()`.\nThat looks odd.\n"""'
    assert "`enabled ()`" in prepared(distil(person("Show the status."), agent("Done."), person(quoted)).knowledge).text


def test_a_line_that_stands_twice_in_a_message_is_told_twice() -> None:
    asked = "status\n> Project is enabled, manual commit\n\nstatus --long\n> Project is enabled, manual commit\nlike this please"
    text = prepared(distil(person("Show the status."), agent("Done."), person(asked)).knowledge, budget=4000).text
    assert text.count("Project is enabled, manual commit") == 2


def test_in_the_history_late_words_that_lead_in_to_a_paste_stand_with_its_beginning() -> None:
    seqs = (2, 6, 10, 14)
    rows = [
        Request(seq, RequestKind.REQUEST, Quote(f"I get this on server {seq}:", Ref(seq)), seq + 2, pasted=f"got 79{seq}") for seq in seqs
    ]
    known = replace(KNOWLEDGE, requests=(*rows, Request(18, RequestKind.REQUEST, Quote("Please log each hook.", Ref(18)), 20)))
    told = [line.item.text for line in history_candidates(known, limits_for(4000)) if line.item.label == "user"]
    assert "I get this on server 10: “got 7910”" in told
    assert "I get this on server 2:" in told


def failures(first: int, last: int) -> str:
    told = (f"--- FAIL: TestCart_{n} (0.01s)\n    cart_test.go:{n}: expected 'enabled', got: Enabled" for n in range(first, last))
    return "\n".join(told)


def test_what_words_lead_in_to_is_told_whole() -> None:
    text = prepared(distil(person(f"The tests fail in the CI. This is the error:\n\n{failures(10, 16)}\nFAIL")).knowledge).text
    assert all(f"--- FAIL: TestCart_{n} (0.01s) / cart_test.go:{n}: expected" in text for n in range(10, 16))


def test_of_many_failures_each_one_with_a_place_is_told() -> None:
    noise = "\n".join(f"ok shop/part{n} (cached)" for n in range(30))
    known = distil(person(f"The tests fail in the CI. This is the error:\n\n{noise}\n{failures(10, 16)}\nFAIL")).knowledge
    assert known.requests[-1].pasted.startswith("43 lines: ")
    assert all(f"cart_test.go:{n}" in known.requests[-1].pasted for n in range(11, 16))


PUSH = "remote: Permission to shop.git denied to bot.\nfatal: unable to access 'https://x.org/shop/': The requested URL returned error: 403"
PUSHED = (
    "now I'm getting [data/v1 a2c0e9c] Entry: 991c\n Author: Ada <a@x.org>\n 6 files changed, 88 insertions(+)\n create mode 100644 a\n"
    f"{PUSH}\nPush failed (attempt 1/3). Rebasing on remote...\n{PUSH}\nPush failed (attempt 2/3). Rebasing on remote...\n{PUSH}\n"
    "Warning: Failed to push after 3 attempts\nError: Process completed with exit code 1."
)


def test_of_a_paste_the_lines_that_say_why_are_told_before_those_that_sum_up() -> None:
    known = distil(person("Push the data."), agent("Done."), person(PUSHED)).knowledge
    row = known.requests[-1]
    assert row.text.text == "now I'm getting"
    assert "denied to bot. (3 times) / fatal: " in row.pasted and "error: 403 (3 times)" in row.pasted
    assert "after 3 attempts" in row.pasted and "exit code" not in row.pasted and "attempt 1" not in row.pasted


def test_short_words_beside_a_paste_are_told_with_it_in_the_history() -> None:
    attempts = f"{PUSH}\nPush failed (attempt 1/3). Rebasing on remote...\n{PUSH}\nWarning: Failed after 2 attempts"
    said = f"{attempts}\n\nbut it is a public repository"
    known = distil(
        person("Push the data."),
        agent("Done."),
        person(said),
        agent("Use a token."),
        person("Write the help."),
        agent("Wrote it."),
        person("Sort it."),
    ).knowledge
    lines = [line.item.text for line in history_candidates(known, limits_for(4000))]
    assert any("public repository" in line and "denied to bot" in line for line in lines)
