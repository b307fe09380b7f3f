"""What an earlier answer still says: whole sentences and lists, without questions and gaps."""

from __future__ import annotations

import pytest

from continuity.knowledge.requests.excerpt import excerpt, tells, without_closing_question, without_gaps, without_outdated
from continuity.knowledge.requests.overtaken import REPLACED, SETTLED

WEIGHED = {"nothing": 0.1}  # so that the sentences that weigh most are told, not the beginning
ITEMS = "\n".join(f"- `part{n}.go` takes the lock before it writes" for n in range(8))


def test_it_works() -> None:
    said = f"The lock in `lock.go` was taken twice.\n## Changed\n{ITEMS}\nAll of `make check` passes now, on both systems.\nShall I commit?"
    told = excerpt(said, 260).split("\n")
    assert told[0] == "The lock in `lock.go` was taken twice."
    assert all(line in said or line.startswith(("Changed:", "- …", "…")) for line in told)
    assert not any(line.endswith("?") for line in told)
    assert len("\n".join(told)) <= 260


def test_what_fits_stays_as_it_is_but_for_what_it_exclaims() -> None:
    assert excerpt("Perfect! The index is built.\n\nIt takes 3 s.", 200) == "The index is built.\n\nIt takes 3 s."


def test_a_list_says_how_many_of_its_items_are_left_out() -> None:
    told = excerpt(f"Changed:\n{ITEMS}\nThe rest of the folder stays as it was before, and nobody uses it.", 250)
    shown = told.count("`part")
    assert 0 < shown < 8
    assert f"- … {8 - shown} more" in told.split("\n")


def test_cut_twice_a_list_still_counts_all_that_is_left_out() -> None:
    said = f"Changed:\n{ITEMS}\nThe rest of the folder stays as it was before, and nobody uses it."
    told = excerpt(excerpt(said, 300), 170)
    shown = told.count("`part")
    assert 0 < shown < 8
    assert f"- … {8 - shown} more" in told.split("\n")


def test_what_is_replaced_keeps_its_mark_or_goes() -> None:
    kept = f"- We keep sessions in Redis with a lifetime of thirty days. {'They know it, as they said. ' * 4}{REPLACED}"
    told = excerpt(f"We decided:\n{kept}\n- Jobs run nightly.\n" + "It is long, and says little of the rest. " * 30, 400)
    assert "We keep sessions" not in told or REPLACED.strip() in told


def test_the_question_that_an_answer_needs_stays() -> None:
    said = "It is built. " + "The index `a.db` holds all of the rows that were read. " * 9 + "Shall I keep it, or build it anew?"
    assert excerpt(said, 200, asking=True).endswith("Shall I keep it, or build it anew?")
    assert "?" not in excerpt(said, 200)


@pytest.mark.parametrize("piece", ["已修复死锁并通过全部测试。", "I will not touch the production database.", "Keep `a.db`."])
def test_other_words_do(piece: str) -> None:
    assert tells(piece)


def test_code_and_drawings_are_left_out() -> None:
    code = "\n".join(f"call({n})" for n in range(40))
    assert excerpt(f"The cause is in `queue.go`.\n```go\n{code}\n```\nIt drops the last row of each page.", 120) == (
        "The cause is in `queue.go`.\nIt drops the last row of each page."
    )


def test_a_heading_goes_with_the_one_above_it() -> None:
    said = f"## Option 2: by time\n**How it works:**\n{ITEMS}\n## Option 3: by id\n**How it works:**\n- It reads `agentId`."
    assert "Option 3: by id: How it works: It reads `agentId`." in excerpt(said, 300, WEIGHED).split("\n")


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("The plan is written. Shall I go on?", "The plan is written."),
        ("It is written.\n\nWhich one?\nA) the first\nB) the second", "It is written."),
        ("Only this?", ""),
        ("It is written.\n**Next:**\nGo on?", "It is written."),
        (f"It is written. Is it right?{SETTLED}", "It is written."),
        ("No question here.", "No question here."),
        ("Fixed.\n**Shall I proceed? **", "Fixed."),
        ("Shall I commit? )", ""),
        ("Bumped the version to 2.4.0. Want me to push?", "Bumped the version to 2.4.0."),
        ("修好了。要提交吗？", "修好了。"),
        ("**All 42 tests pass.**", "**All 42 tests pass.**"),
        ("I did two things:\na) fixed the lock\nb) added a test", "I did two things:\na) fixed the lock\nb) added a test"),
    ],
)
def test_the_question_at_the_end_goes(said: str, left: str) -> None:
    assert without_closing_question(said) == left


def test_what_is_overtaken_goes() -> None:
    said = f"We use seven days.{REPLACED} The rest stays.\nIs that right?{SETTLED}"
    assert without_outdated(said) == "The rest stays."
    assert without_outdated("All of it holds.") == "All of it holds."
    assert without_outdated(f"The port is 5432. Is it right?{SETTLED}") == "The port is 5432."


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("First line.\n[…]\nLast line.", "First line.\nLast line."),
        ("It reads the whole file first. Then it goes on to […]", "It reads the whole file first."),
        ("A word […]", "A word […]"),
        ("First line.\n**Then:**\n[…]", "First line."),
    ],
)
def test_marks_of_what_was_left_out_go(said: str, left: str) -> None:
    assert without_gaps(said) == left


@pytest.mark.parametrize("piece", ["", "Which one?", "It lists:", "Let me check that:", "Build succeeded.", "The change: 1.", "The P2 […]"])
def test_some_words_say_nothing_by_themselves(piece: str) -> None:
    assert not tells(piece)


def test_of_a_list_with_names_those_left_out_are_named() -> None:
    items = "\n".join(f"- **Step {n}**: takes the lock of part {n} before it writes, and gives it back" for n in range(6))
    told = excerpt(f"Changed:\n{items}\nThe rest of the folder stays as it was before, and nobody uses it.", 300, WEIGHED).split("\n")
    named = next(line for line in told if line.startswith("- … also: "))
    assert named.endswith("Step 5")
    assert sum(line.startswith("- **Step") for line in told) + named.count("Step") == 6


def test_one_side_of_an_option_stands_behind_the_option() -> None:
    code = "\n".join(f"│ row {n}" for n in range(30))
    options = "\n".join(
        f"## Option {n}: {name}\n```go\n{code}\n```\n**Pros:** Tells active rows of {name} from the rest of them.\n"
        for n, name in enumerate(("Thick lines", "End marks"), start=1)
    )
    told = excerpt(f"There are two ways.\n{options}", 230).split("\n")
    sides = [line for line in told if "Pros" in line]
    assert sides
    assert all(line.startswith("Option ") for line in sides)


def test_a_sentence_that_stands_for_what_came_before_comes_with_it() -> None:
    said = "The `parse` function has three parameters that nobody uses. This is not blocking, and all works as it stands."
    more = " ".join(f"The module `part{n}.go` keeps its own table of {n} rows." for n in range(12))
    told = excerpt(f"{said}\n{more}", 420)
    assert ("This is not blocking" in told) == ("three parameters that nobody uses" in told)
    assert "This is not blocking" in told


def test_a_list_of_one_side_stands_behind_the_option() -> None:
    options = "\n\n".join(
        f"## Option {n}: {name}\n\n**How it works:**\n- It reads {name}\n\n**Pros:**\n- Tells active rows of {name}\n- Needs no lock"
        for n, name in enumerate(("timestamps", "identifiers"), start=1)
    )
    told = excerpt(f"There are two ways, and both of them work.\n{options}\n" + "More is said of `it` below. " * 20, 240, WEIGHED).split(
        "\n"
    )
    sides = [line for line in told if "Pros" in line]
    assert sides and all(line.startswith("Option ") for line in sides)


def test_headings_with_code_below_them_are_told_without_it() -> None:
    code = "```go\n" + "rows.read(offset)\n" * 12 + "```"
    parts = f"### 1. The importer reads from the offset on\n{code}\n\n### 2. Tags are taken out of prompts\n{code}"
    told = excerpt(f"Both are mended:\n\n{parts}\n\n## Results:\n- All tests pass", 260)
    assert "1. The importer reads from the offset on" in told and "2. Tags are taken out of prompts" in told
    assert "rows.read" not in told


def test_an_answer_that_is_told_by_its_beginning_ends_with_what_it_comes_to() -> None:
    body = "\n".join(f"- the part {n} of the importer is written for this queue" for n in range(30))
    told = excerpt(
        f"Yes, a separate package is right.\n\nIt should own:\n{body}\n\nMy pick is `importer-queue`: it says what it does.", 300
    )
    assert told.startswith("Yes, a separate package is right.") and told.endswith("\n…\nMy pick is `importer-queue`: it says what it does.")
    assert "…\n" not in excerpt(f"Yes.\n\nIt should own the importer and its queue:\n{body}\n\nShall I write it?", 300)


def test_lines_of_which_nothing_is_outdated_keep_their_form() -> None:
    code = "if full {\n    drop(row)  // for now. It comes again.\n}"
    assert without_outdated(f"{code}\nShall I mend it?{SETTLED}") == code
