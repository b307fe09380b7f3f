"""What a person pasted beside a request, told with it."""

from __future__ import annotations

import pytest

from handoffs.contract.model import Style
from tests.knowledge.talk import agent, distil, person
from tests.packages.samples import prepared

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


def test_in_the_history_words_that_lead_in_to_a_paste_stand_with_its_beginning() -> None:
    talk = (person(f"I'm getting this error on the server:\n\n{LOG}"), agent("The trailer is written once now, and the test passes."))
    more = (person("Give the cart a total."), agent("The cart has a total, which is rounded once."), person("Please print the total."))
    text = prepared(
        distil(*talk, *more, agent("The total is printed at the end."), person("Please log each hook.")).knowledge, budget=4000
    ).text
    assert "I'm getting this error on the server: “" in text
