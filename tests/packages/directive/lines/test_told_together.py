"""One block for one message: what was said in it besides its points stands where it belongs, and once."""

from __future__ import annotations

from handoffs.directive.styles.told_together import block_of

POINTS = "\n".join(
    (
        "Review of the cart:",
        "- **Rounding**: Correct, it rounds once at the end.",
        "- **Discounts**: Correct, they are taken off before that.",
        "1. Minor: the total is read twice",
        "Verdict: ship it.",
    )
)


def test_it_works() -> None:
    whole = "**Rounding**: Correct, it rounds once at the end. A total of nothing is zero."
    assert block_of((POINTS, whole)).split("\n")[1:3] == [f"- {whole}", "- **Discounts**: Correct, they are taken off before that."]


def test_what_a_point_holds_already_is_not_said_again() -> None:
    assert block_of((POINTS, "they are taken off before that.")) == POINTS


def test_a_point_with_its_title_and_its_words_is_known_though_signs_stand_between_them() -> None:
    whole = "**Minor: the total is read twice** Read it once, since it may change meanwhile."
    assert block_of((POINTS, whole)).split("\n")[3:] == [f"1. {whole}", "Verdict: ship it."]


def test_what_no_point_begins_stands_between_those_around_it() -> None:
    first = "**Rounding**: Correct, it rounds once at the end. A total of nothing is zero."
    between, last = "Nobody rounds a price before.", "**Discounts**: Correct, they are taken off before that. None is left out."
    told = block_of((POINTS, first, between, last)).split("\n")
    assert told[1:4] == [f"- {first}", between, f"- {last}"]
    assert block_of((POINTS, between)) == f"{POINTS}\n{between}"


def test_short_lines_stand_as_they_are() -> None:
    assert block_of(("- yes\n- no", "- yes")) == "- yes\n- no\n- yes"
    assert block_of(("One line.",)) == "One line."
    assert block_of(()) == ""


def test_what_the_text_leaves_out_stands_where_it_does_and_not_behind_its_last_words() -> None:
    assert block_of(("It is a cart.\n…\nMy pick: the cart.", "It has two wheels and a bell.")).split("\n") == [
        "It is a cart.",
        "It has two wheels and a bell.",
        "…",
        "My pick: the cart.",
    ]


def test_a_block_of_code_within_a_line_has_the_marks_of_code_in_a_line() -> None:
    assert (
        block_of(("It has one wheel: ```go type Cart struct { wheel Wheel } ```",))
        == "It has one wheel: `type Cart struct { wheel Wheel }`"
    )
    assert block_of(("```go\nx := 1\n```",)) == "```go\nx := 1\n```"
