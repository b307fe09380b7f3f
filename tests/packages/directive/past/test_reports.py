"""What counts of a report that is over: what it names, without praise and without the checks of then."""

from __future__ import annotations

import pytest

from handoffs.directive.past.reports import answered, comes_to, in_one_line, only_praises, plainly, without_told_later

REPORT = """Perfect! I've moved the sums of the shop.

## Changes

- `cart.py`: sums each cart once
- `page.py`: shows the sum of `cart.py`

## Test Results

- ✅ All 12 tests pass
- ✅ Linter passes (0 issues)

## Benefits

- Easier to maintain
- Works in real-world shops

The sums are rounded to `CENT`. This ensures that it never breaks again!"""


def test_it_works() -> None:
    told = plainly(REPORT)
    assert "- `cart.py`: sums each cart once" in told and "The sums are rounded to `CENT`." in told
    assert not any(words in told for words in ("Test Results", "12 tests", "Linter", "Benefits", "maintain", "never breaks"))


@pytest.mark.parametrize(
    ("words", "praises"),
    [
        ("All tests pass and linting is clean.", True),
        ("✅ All 7 new tests pass (5 unit + 2 integration)", True),
        ("All clean — 0 lint issues, all tests pass.", True),
        ("This is much cleaner and easier to maintain!", True),
        ("The tests of `cart.py` pass.", False),
        ("All tests pass, but `cart.py` is never run.", False),
        ("The build fails.", False),
        ("No carts are empty.", False),
    ],
)
def test_praise_is_told_from_what_names_something(words: str, praises: bool) -> None:
    assert only_praises(words) is praises


def test_words_that_only_praise_stay_where_nothing_else_is_left() -> None:
    assert plainly("Yes, all clean. All tests pass.") == "Yes, all clean. All tests pass."


def test_a_report_in_one_line_is_its_first_sentence_or_what_its_items_begin_with() -> None:
    assert in_one_line(REPORT, 260).startswith("I've moved the sums of the shop.")
    listed = "Here's a summary of the changes:\n\n" + "\n".join(f"- Move table {n} of the shop to its own file" for n in range(6))
    moved = [f"Move table {n} of the shop to its own file" for n in range(3)]
    assert in_one_line(listed, 150) == "; ".join((*moved, "… 3 more"))
    assert "\n" not in in_one_line(REPORT, 260)


def test_numbered_headings_are_items() -> None:
    text = "I mended all of them:\n\n### 1. ✅ **Sums are kept**\nThey were lost.\n\n### 2. ✅ **Carts are locked**\nThey were not."
    assert in_one_line(text, 120).endswith("Sums are kept; Carts are locked")


def test_what_was_asked_is_answered_first() -> None:
    rows = "\n".join(f"- `field_{n}`: what the shop keeps of it in its table" for n in range(30))
    sums = "**Yes!** The sum is approximately:\n\n```\n109 + 341 = 450\n```\n"
    text = f"Here is what I found:\n\n## Fields\n\n{rows}\n\n## Does it add up?\n\n{sums}"
    told = answered(text, 300, asked=True)
    assert told.startswith("**Yes!** The sum is approximately: `109 + 341 = 450`\n")
    assert "`field_0`" in told and len(told) <= 330
    assert answered("No carts are empty. " + rows, 300, asked=True).startswith("No carts are empty.")


def test_details_of_tests_are_left_out_of_a_report() -> None:
    text = "1. `TestSum`: sums a cart\nTest cases:\n- No items → 0\n- Two items → 2\n2. `TestLock`: locks it\nTest cases:\n- Locked → waits"
    assert plainly(text, details=False) == "1. `TestSum`: sums a cart\n2. `TestLock`: locks it"
    assert plainly(text) == text


def test_of_two_reports_that_say_the_same_the_later_one_stands() -> None:
    same = ("Sessions come before branches", "Press `t` to change the view", "The title names the view that is shown")
    first = "\n".join(("The view is done:", *(f"- {each}" for each in same), "- Lanes of sessions are gone"))
    later = "\n".join(("Summary:", *(f"- {each} by default" for each in same), "- No sums are shown"))
    assert without_told_later(first, [later]) == "The view is done:\n- Lanes of sessions are gone"
    assert without_told_later(first, [f"{later}\n- Lanes of sessions are gone"]) == ""
    assert without_told_later(first, ["The shop has a page of its own now."]) == first


def test_signs_within_code_are_no_praise() -> None:
    shown = "The output shows:\n\n```\n✓ Hooks installed\n✓ Settings saved\n```\n- ✅ It ends with `✓ ready` now"
    assert plainly(shown) == "The output shows:\n\n```\n✓ Hooks installed\n✓ Settings saved\n```\n- It ends with `✓ ready` now"


SQLITE = """Yes. For the carts I'd start with SQLite.

It fits the way we work better:

- it works without a service
- it can be built again at any time
- it has a search of its own

So yes: SQLite first is the better default. It keeps the promise of no infrastructure.

Sources: the pages of both of them."""


def test_an_older_answer_is_told_by_what_it_says_and_what_it_comes_to() -> None:
    assert comes_to(SQLITE, 200) == "Yes. For the carts I'd start with SQLite. […] So yes: SQLite first is the better default."
    assert comes_to("The cart waits twice. It reads the rates anew.\n\n- a\n- b\n\nShall I mend it?", 200) == (
        "The cart waits twice. It reads the rates anew."
    )
    assert comes_to("```\na = 1\n```\nThat is all.", 200) == ""


def test_what_only_says_that_a_report_follows_is_left_out() -> None:
    text = "Here's a summary of the changes:\n\n## Summary\n\nThe cart waits no more.\n\n## Rates\n\nThey are read anew."
    assert plainly(text) == "The cart waits no more.\n\n## Rates\n\nThey are read anew."


def test_a_review_keeps_its_verdict() -> None:
    review = (
        "## Review\n\n**Overall: This looks good and ready to merge.** ✓\n\n### Strengths\n- All checks pass\n\n**Verdict: Ship it.** 🚀"
    )
    assert plainly(review).split("\n")[-1] == "Verdict: Ship it."
    assert "Overall: This looks good and ready to merge." in plainly(review)
