"""A long report is told point by point: what each begins with, in order, before more of any."""

from __future__ import annotations

import time

import pytest

from continuity.knowledge.requests.points import by_points, left_out_line, told_in
from continuity.knowledge.requests.report_points import are_points, draws, points_of
from continuity.knowledge.requests.whole_sentences import first_clause

LONG = "which takes the lock before it writes and gives it back when the writer has come to its end"
REPORT = f"""Done. Here is what changed:

## Changes
1. **`lock.go`** — Takes the lock once. It was taken twice before, {LONG}.
2. **`store.go`** — Writes within the lock (see `write`, {LONG}).
3. **`clean.go`** — Removes what was left. Nothing else calls it, {LONG}.

```go
func write() {{
    lock()
    defer unlock()
}}
```

## Checks
All of them pass on both systems. They were run twice, {LONG}.

**Limitation:** a second process is not seen. {LONG.capitalize()}.
"""


def test_it_works() -> None:
    told = by_points(REPORT, 420).split("\n")
    assert [line[:18] for line in told] == [
        "Changes:",
        "1. **`lock.go`** —",
        "2. **`store.go`** ",
        "3. **`clean.go`** ",
        "Checks: All of the",
        "**Limitation:** a ",
    ]
    assert len("\n".join(told)) <= 420


def test_every_point_is_told_before_more_of_one() -> None:
    for room in range(300, len(REPORT), 60):
        told = by_points(REPORT, room)
        assert not told or all(name in told for name in ("lock.go", "store.go", "clean.go", "Limitation"))
        assert len(told) <= room


def test_nothing_is_cut_in_code_in_brackets_or_in_a_row() -> None:
    table = "| Hook | Writes |\n|---|---|\n" + "".join(f"| `hook{n}` | {LONG}, and so on |\n" for n in range(4))
    for room in range(200, 1400, 100):
        for text in (REPORT, f"It does this:\n{table}\nThat is all."):
            for line in by_points(text, room).split("\n"):
                assert "lock()" not in line and "```" not in line
                assert line.count("(") == line.count(")")
                assert line.count("`") % 2 == 0


def test_a_row_of_a_table_is_a_point() -> None:
    rows = "".join(f"| part {n} | done |\n" for n in range(3))
    assert by_points(f"| Part | State |\n|---|---|\n{rows}\nIt holds. {LONG}.", 90).split("\n")[:3] == [
        f"- part {n}: done" for n in range(3)
    ]


def test_of_a_long_list_those_left_out_are_named_or_counted() -> None:
    named = "\n".join(f"- **Step {n}**: {LONG}" for n in range(9))
    assert by_points(f"Changed:\n{named}\nThe rest stays.", 460).split("\n")[-2].startswith("- … also: Step ")
    plain = "\n".join(f"- It takes {n} locks {LONG}" for n in range(9))
    assert by_points(f"Changed:\n{plain}\nThe rest stays.", 460).split("\n")[-2].endswith(" more")
    again = by_points(by_points(f"Changed:\n{plain}\nThe rest stays.", 460), 300).split("\n")[-2]
    assert int(again.split()[2]) >= 5


@pytest.mark.parametrize("text", ["", f"It was so. {LONG}. {LONG}.", "- one\n- two", "```\n# a\n# b\n# c\n```"])
def test_words_without_points_are_not_told_by_them(text: str) -> None:
    assert by_points(text, 40) == ""
    assert not are_points(points_of(text))


def test_the_question_at_the_end_stays() -> None:
    told = by_points(f"{REPORT}\nI changed nothing else, {LONG}. Shall I commit it, or do you want to look first?", 520)
    assert told.endswith("Shall I commit it, or do you want to look first?")


def test_what_only_announces_is_no_point() -> None:
    told = by_points(f"Now let me sum up.\n{REPORT}\nLet me commit it.", 460)
    assert "sum up" not in told and "commit" not in told


def test_what_fits_stays_as_it_is_and_what_has_no_points_is_told_by_its_gist() -> None:
    assert told_in(REPORT, len(REPORT)) == REPORT
    assert told_in(f"It was so. {LONG}.", 60).startswith("It was so.")
    assert draws("So:\n```\na\nb\nc\n```") and not draws(REPORT)


@pytest.mark.parametrize(
    ("sentence", "told"),
    [
        ("Short enough.", "Short enough."),
        ("Takes the lock of the store once — it was taken twice before", "Takes the lock of the store once"),
        ("Writes what the readers asked for (all of them, in turn), and then it ends", "Writes what the readers asked for"),
        (
            "Shall we take the lock of the store once, or is twice what was meant?",
            "Shall we take the lock of the store once, or is twice what was meant?",
        ),
        *(
            (whole, whole)
            for whole in (
                "All four of the new functions (of carts, of sums) are without their own lock",
                "If reading the metadata of the store fails (a blob is broken), the function takes a new lock",
                "The lock of the store - of the one for readers - is never given back to it",
            )
        ),
        ("Takes the locks of readers, of writers and of all the others there are", "Takes the locks of readers …"),
        ("Onewordthatislongerthanallthatthereisroomforandmoreandmore", "Onewordthatislongerthanallthatthereisroomforandmoreandmore"),
    ],
)
def test_the_first_clause_of_a_sentence(sentence: str, told: str) -> None:
    assert first_clause(sentence, 40) == told


@pytest.mark.parametrize("piece", ["- a\n", "## a\n", "**a** ", "(", "`", "a. ", "| a | b |\n", "1. ", "```\n", "? "])
def test_hostile_words_take_no_longer_than_they_are_long(piece: str) -> None:
    begun = time.perf_counter()
    by_points(piece * 20_000, 2000)
    assert time.perf_counter() - begun < 6


def test_a_title_whose_code_is_left_out_is_a_point_of_its_own() -> None:
    code = "\n".join(f"    row({number})" for number in range(12))
    names = ["The sum counts from its start", "The tax counts from its start", "The list counts from its start"]
    fixed = "\n".join(f"### {n}. {name}\n```go\n{code}\n```\n" for n, name in enumerate(names, 1))
    told = by_points(f"All is mended.\n\n## Mended\n\n{fixed}\n## Checks\n- All tests pass\n- The linter is content\n", 400)
    assert [line.split(" ", 1)[1] for line in told.split("\n") if "counts" in line] == names


def test_a_point_that_leads_in_is_told_with_the_first_line_below_it() -> None:
    items = [f"{n}. **Case {n}** passes for every session that has two checkpoints, as the user had asked." for n in range(1, 5)]
    below = ["   - Tokens are counted from message 2 on", "   - All prompts of the session are present"]
    text = "\n".join([*items, "5. It condenses and **verifies:**", *below, "", LONG])
    told = by_points(text, 500).split("\n")
    assert told[told.index("5. It condenses and **verifies:**") + 1].strip() == "- Tokens are counted from message 2 on"


@pytest.mark.parametrize(
    ("lines", "count", "told"),
    [
        (["2. **`FetchMetadata`** (line 387-391)"], 1, "2. **`FetchMetadata`** (line 387-391)"),
        (["The user rebases → the commit has timestamp Y"], 1, "- The user rebases → the commit has timestamp Y"),
        (["It takes hardly more room."] * 2, 2, "- … 2 more"),
        (["It is long and says " + "much more " * 9], 1, "- … 1 more"),
    ],
)
def test_a_single_line_that_takes_hardly_more_room_stands_itself(lines: list[str], count: int, told: str) -> None:
    assert left_out_line(lines, count) == told


def test_words_that_led_in_to_a_list_that_is_left_out_do_not_lead_in_to_what_follows() -> None:
    risks = "".join(f"- A writer would have to fail in silence at the {n}th step, {LONG}\n" for n in range(4))
    points = f"1. `store.go` writes within it, {LONG}\n2. `clean.go` takes what is left, {LONG}\n"
    before = f"## The lock\nIt is taken twice in `lock.go`. {LONG}.\n\n{points}\n"
    text = f"{before}**The risk is low** because:\n{risks}\nShall I mend `lock.go` now?"
    told = by_points(text, 240)
    assert "because: Shall" not in told and told.endswith("\nShall I mend `lock.go` now?")


def test_lists_of_which_nothing_is_told_have_one_number() -> None:
    steps = "".join(f"- {LONG} at the step {n} of them\n" for n in range(3))
    text = (
        f"1. `lock.go` is taken once. {LONG}.\n\n"
        + "".join(f"And so on, {n}:\n{steps}\n" for n in range(3))
        + "All of it runs in `make check`."
    )
    told = by_points(text, 260)
    assert told.count("more") <= 1
