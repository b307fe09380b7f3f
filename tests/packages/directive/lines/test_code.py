"""Code as lines of a directive: what was changed in each file, in few lines."""

from __future__ import annotations

from dataclasses import replace

import pytest

from continuity.knowledge.evidence import CodeEdit
from continuity.transcripts.base.model import Message
from handoffs.budgeting.budget import grown_room, sketched_room
from handoffs.budgeting.candidate import Candidate
from handoffs.budgeting.limits import limits_for
from handoffs.contract.model import Package, SectionKind, Style
from handoffs.directive.directive import render
from handoffs.directive.lines.code import code_candidates
from handoffs.directive.outputs import hook_text
from tests.knowledge.outcomes.test_code_sketches import ASKED, CART, edited, written
from tests.knowledge.talk import agent, call, distil, person, ran, result
from tests.packages.samples import crowded, prepared

CHECKED = ran("pytest -q", "3 passed")
SKETCHES = ("sketch", "sketched", "change", "changed before")


def package(*messages: Message | tuple[Message, ...], budget: int = 4000) -> Package:
    return prepared(distil(*messages).knowledge, budget=budget).package


def of(kind: SectionKind, found: Package) -> list[str]:
    return [item.text for section in found.sections if section.kind is kind for item in section.items if item.label in SKETCHES]


def test_it_works() -> None:
    found = package(ASKED, written("src/cart.py", CART), CHECKED)
    assert of(SectionKind.VERIFICATION, found)[0].split("\n")[0] == "cart.py"
    assert "- Changed [m2]:\n  > cart.py\n  > LIMIT_OF_ITEMS = 40\n" in render(found, Style.STRUCTURED)


def test_what_an_earlier_request_changed_stands_in_the_history() -> None:
    found = package(ASKED, written("src/cart.py", CART), CHECKED, agent("Done: it rounds once."), person("Why is the limit 40?"))
    assert of(SectionKind.VERIFICATION, found) == []
    assert [text.split("\n")[0] for text in of(SectionKind.RECENT, found)] == ["cart.py"]


def test_what_a_later_request_committed_is_told_by_git() -> None:
    done = (ASKED, written("src/cart.py", CART), CHECKED, agent("Done: it rounds once."))
    assert of(SectionKind.RECENT, package(*done, person("Why is the limit 40?")))
    commit = ran("git add -A && git commit -m 'Round once'", "[main 0123abc] Round once\n 1 file changed\n create mode 100644 src/cart.py")
    assert not of(SectionKind.RECENT, package(*done, person("yes, commit"), commit, agent("Committed."), person("Why is the limit 40?")))


def test_lines_that_an_edit_shows_as_it_stands_are_not_told_twice() -> None:
    found = package(ASKED, edited("src/cart.py", "    return result\n", "    return result.quantize(CENT)\n"))
    assert of(SectionKind.VERIFICATION, found) == []
    assert render(found, Style.STRUCTURED).count("quantize(CENT)") == 1


def test_a_file_that_is_gone_has_no_sketch() -> None:
    found = package(ASKED, written("src/cart.py", CART), call("Bash", "r", command="rm src/cart.py"), result("", "r"), CHECKED)
    assert of(SectionKind.VERIFICATION, found) == []


def test_a_hook_that_takes_little_leaves_it_out_first() -> None:
    sketch = CodeEdit("src/cart.py", 20, "+LIMIT_OF_ITEMS = 40\n+def total(items: list[Item]) -> Money:")
    known = crowded(60)
    found = prepared(replace(known, situation=replace(known.situation, sketches=(sketch,))), budget=6000).package
    whole = render(found, Style.STRUCTURED)
    assert "  > LIMIT_OF_ITEMS" in whole and "  > LIMIT_OF_ITEMS" not in hook_text(found, Style.STRUCTURED, "h1", len(whole) - 100)


def test_a_small_budget_has_none() -> None:
    known = distil(ASKED, written("src/cart.py", CART), CHECKED).knowledge
    labels = [[each.item.label for each in code_candidates(known, limits_for(budget))] for budget in (4000, 600)]
    assert labels == [["sketch"], []]


@pytest.mark.parametrize("style", list(Style))
def test_it_comes_back_as_no_statement_of_its_own(style: Style) -> None:
    text = render(package(ASKED, written("src/cart.py", CART), CHECKED), style)
    assert "LIMIT_OF_ITEMS = 40" in text
    read = distil(person(text)).knowledge
    assert not any("LIMIT_OF_ITEMS" in anchor.text for anchor in read.anchors)


LARGE = "\n".join(f"def part_{n}(row):\n    return row[{n}] * factor_of_part_{n}\n" for n in range(200))


def test_where_the_changed_lines_find_no_room_a_sketch_tells_of_them() -> None:
    found = package(ASKED, written("src/cart.py", LARGE), CHECKED)
    assert "- Changed [m2]:\n  > cart.py\n" in render(found, Style.STRUCTURED)


def test_earlier_work_is_told_by_its_heads_within_a_share_of_the_budget() -> None:
    rows = "\n".join(f"    row[{n}] = row[{n}] * factor" for n in range(60))
    parts = [written(f"src/part{n}.py", f"LIMIT_{n} = 4\n\ndef part_{n}(row, factor):\n{rows}", n) for n in range(1, 8)]
    text = prepared(distil(ASKED, *parts, CHECKED, agent("Done."), person("Why so many?")).knowledge, budget=4000)
    assert "LIMIT_7 = 4" in text.text and "row[0] = row[0] * factor" not in text.text, "bodies are told of the request in work alone"
    assert text.package.plan.used <= grown_room(4000, noted=False) + 100


@pytest.mark.parametrize(("budget", "noted", "tokens"), [(600, False, 600), (4000, False, 3600), (2500, True, 2500), (4000, True, 2800)])
def test_lines_grow_up_to_so_many_tokens(budget: int, noted: bool, tokens: int) -> None:
    assert grown_room(budget, noted=noted) == tokens


@pytest.mark.parametrize(("budget", "tokens"), [(1000, 900), (3000, 2700), (4000, 2800), (8000, 5600)])
def test_sketches_of_earlier_work_leave_a_part_of_the_budget(budget: int, tokens: int) -> None:
    assert sketched_room(budget) == tokens


def test_they_are_left_out_where_the_work_was_committed() -> None:
    end = ran("git commit -am total", "[main abc1234] total")
    found = package(ASKED, written("src/cart.py", CART), CHECKED, end, agent("Done: it rounds once."), person("Why is the limit 40?"))
    assert of(SectionKind.RECENT, found) == []


def test_of_what_others_took_the_place_of_nothing_is_told() -> None:
    gone = "\n".join(f"    row[{n}] = row[{n}] * factor" for n in range(40))
    text = render(package(ASKED, edited("src/cart.py", gone, "    scale(row)\n    save(row)"), CHECKED), Style.STRUCTURED)
    assert "  > cart.py\n  >     scale(row)\n  >     save(row)\n" in text and "* factor" not in text


def test_what_is_taken_out_is_told_in_one_line_by_its_names() -> None:
    gone = "\n".join(f"def part_{n}(row):\n    return row[{n}]\n" for n in range(14))
    text = render(
        package(ASKED, edited("src/cart.py", gone, "", 1), edited("src/cart.py", "a = 4\n", "a = 5\n"), CHECKED), Style.STRUCTURED
    )
    assert "  > -a = 4\n  > +a = 5\n  > Taken out: part_0, part_1, " in text and "part_11 and 2 more\n" in text
    assert "return row" not in text


def test_units_of_several_lines_are_set_off() -> None:
    sketch = CodeEdit("src/cart.go", 20, "+func a() int {\n\n+func b() int {\n\n+type Row struct {\n+\tid int\n+}\n\n+func c() int {")
    line = next(each for each in of_sketch(sketch) if each.item.label == "sketch")
    told = ["cart.go", "func a() int { … }", "func b() int { … }", "", "type Row struct {", "  id int", "}", "", "func c() int { … }"]
    assert line.item.text.split("\n") == told, "and what is told by its head says so"


def test_of_a_sketch_that_finds_no_room_whole_units_give_way() -> None:
    parts = [f"+def part_{n}(row):\n+    return row[{n}] * factor_of_part_{n}" for n in range(18)]
    line = next(each for each in of_sketch(CodeEdit("src/cart.py", 20, "\n\n".join(parts))) if each.item.label == "sketch")
    assert line.item.text.count("def part_") == 18 and 0 < line.item.text.count("return row") < 18
    assert line.fuller[0].text.count("return row") == 18


def test_what_an_edit_shows_is_told_in_no_sketch() -> None:
    new = "def total(items):\n    return sum(items)\n"
    text = render(package(ASKED, edited("src/cart.py", "", f"{new}\n\nLIMIT_OF_ROWS = 3\nLIMIT_OF_ITEMS = 4\n")), Style.STRUCTURED)
    assert text.count("return sum(items)") == 1 and text.count("LIMIT_OF_ROWS =") == 1


def of_sketch(sketch: CodeEdit) -> list[Candidate]:
    known = crowded(10)
    return code_candidates(replace(known, situation=replace(known.situation, sketches=(sketch,))), limits_for(6000))


@pytest.mark.parametrize(("said", "whole"), [("Couldn't we keep half_up?", True), ("No, keep half_up!", True), ("Commit this.", False)])
def test_what_was_taken_out_is_told_where_the_person_asks_about_it(said: str, whole: bool) -> None:
    gone = "def half_up(value):\n    return value.quantize(CENT, ROUND_HALF_UP)\n\n"
    out = (*edited("src/cart.py", "total = 1\n", "total = round(sum(prices), 2)\nshown = str(total)\n"), *edited("src/cart.py", gone, ""))
    text = render(package(ASKED, out, CHECKED, agent("Done: half_up is gone."), person(said)), Style.STRUCTURED)
    assert "total = round(sum(prices), 2)" in text
    assert ("> -  return value.quantize(CENT, ROUND_HALF_UP)" in text.replace("> -    ", "> -  ")) is whole


def test_a_bracket_that_closes_what_is_not_told_is_left_out() -> None:
    known = distil(ASKED).knowledge
    sketch = CodeEdit("src/cart.go", 1, "+}\n+\n+const staleLock = 30 * time.Minute\n+const held = 3")
    known = replace(known, situation=replace(known.situation, sketches=(sketch,)))
    (line,) = [each for each in code_candidates(known, limits_for(4000)) if each.item.label == "sketch"]
    assert line.item.text.split("\n") == ["cart.go", "const staleLock = 30 * time.Minute", "const held = 3"]


def test_lines_whose_old_ones_are_told_keep_their_marks() -> None:
    text = render(package(ASKED, edited("src/cart.py", "total = 1\n", "total = round(1)\n"), CHECKED), Style.STRUCTURED)
    assert "  > -total = 1\n  > +total = round(1)\n" in text


def test_files_in_which_a_line_was_changed_share_one_line_each() -> None:
    one = edited("src/cart.py", "rows = rows\n", "rows = rows\nlimit = options.limit\n")
    two = edited("src/order.py", "rows = rows\n", "rows = rows\nage = options.age\n", 2)
    text = render(package(ASKED, one, two, CHECKED), Style.STRUCTURED)
    assert "  > cart.py: limit = options.limit\n  > order.py: age = options.age\n" in text


def test_the_body_of_a_longer_function_is_told_where_there_is_room() -> None:
    body = "".join(f"    row[{n}] = scale(row[{n}])\n" for n in range(25))
    text = render(package(ASKED, written("src/cart.py", f"def total(row):\n{body}    return row\n"), CHECKED), Style.STRUCTURED)
    assert "row[0]" in text and "row[24]" in text


def test_lines_within_something_that_is_not_told_say_so() -> None:
    sketch = CodeEdit("src/cart.go", 20, "+func a() int {\n\n+\tif err != nil {\n+\t\treturn 0\n+\t}")
    line = next(each for each in of_sketch(sketch) if each.item.label == "sketch")
    assert line.item.text.split("\n") == ["cart.go", "func a() int { … }", "…", "  if err != nil {", "    return 0", "  }"]


def test_a_call_without_a_result_is_told_whole_and_never_as_what_the_file_has() -> None:
    lines = [f"    if rate == {n}:  # of the cart, with some words" for n in range(30)]
    given = call("Edit", "e9", file_path="src/cart.py", old_string="    pass", new_string="\n".join(lines))
    text = prepared(distil(ASKED, given).knowledge, budget=4000).text
    assert f"> +{lines[-1]}" in text and "which the file has" not in text


LOOP = "".join(f"    for item in of_the_kind_{n}(items):\n        result += item.price * rate_of_{n}(rate)\n" for n in range(9))


def test_what_was_changed_before_a_failing_check_is_not_folded() -> None:
    change = edited("src/cart.py", "    return 0\n", f"{LOOP}    return result\n\n\n{CART}")

    def told(*messages: Message | tuple[Message, ...]) -> str:
        found = code_candidates(distil(ASKED, change, *messages).knowledge, limits_for(4000))
        return next(each.item.text for each in found if each.item.label == "sketch")

    assert "rate_of_7" not in told(CHECKED) and "rate_of_7" in told(CHECKED, ran("pytest -q", "1 failed", 1))
