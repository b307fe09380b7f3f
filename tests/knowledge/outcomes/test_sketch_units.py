"""The units of a sketch: each whole, in a shorter form that stands by itself, or not at all."""

from __future__ import annotations

from random import Random

import pytest

from continuity.knowledge.extractors.outcomes.code_sketches import sketch
from continuity.knowledge.extractors.outcomes.marked_lines import marked
from continuity.knowledge.extractors.outcomes.sketch_units import USUAL, units_of
from tests.knowledge.outcomes.test_code_sketches import ASKED, edited, sketches, written

USAGE = """// What a turn took.
type Usage struct {
\tInput int
\t// written to the cache
\tOutput int
}
"""
BODY = "".join(f"    row[{n}] = scale(row[{n}])\n" for n in range(USUAL.lines))


def units(path: str, old: str, new: str) -> list[str]:
    """The units of the sketch of an edit."""
    return [unit for unit in sketch(path, marked(old, new)).split("\n\n") if unit]


def plus(text: str) -> str:
    return "\n".join(f"+{line}" for line in text.rstrip("\n").split("\n"))


def test_it_works() -> None:
    assert units("usage.go", "", f"{USAGE}\nif usage != nil {{\n\tsave(usage)\n}}\n") == [
        plus(USAGE),
        "+if usage != nil {\n+\tsave(usage)\n+}",
    ]


def test_a_type_is_told_with_all_its_members_or_by_how_many_lines_it_has() -> None:
    members = [f"\tPart{n} int // of {n}" for n in range(USUAL.lines - 2)]
    commented = "\n".join(line for member in members for line in ("\t// a part", member))
    assert units("a.go", "", f"type Usage struct {{\n{commented}\n}}\n") == [plus("\n".join(("type Usage struct {", *members, "}")))]
    longer = "\n".join((*members, *members))
    assert units("a.go", "", f"type Usage struct {{\n{longer}\n}}\n") == ["+type Usage struct { … and 37 more lines"]


@pytest.mark.parametrize(
    ("path", "text", "head"),
    [
        ("a.py", f'@cached\ndef total(rows):\n    """The sum of all rows."""\n{BODY}', 3),
        ("a.go", f"// The sum of all rows.\nfunc total(\n    rows []Row,\n) Money {{\n{BODY}}}\n", 4),
        ("a.rs", f"/// The sum of all rows.\npub fn total(rows: &[Row]) -> Money {{\n{BODY}}}\n", 2),
    ],
)
def test_of_a_long_function_the_signature_is_told_with_the_words_about_it(path: str, text: str, head: int) -> None:
    assert units(path, "", text) == [plus("\n".join(text.split("\n")[:head]))]


def test_of_a_long_class_each_function_is_a_unit() -> None:
    loads = f"  async load(id: string): Promise<Row[]> {{\n{BODY}  }}"
    clears = "  clear(): void {\n    this.rows = [];\n  }"
    assert units("s.ts", "", f"export class Store {{\n  rows = [];\n\n{loads}\n\n{clears}\n}}\n") == [
        "+export class Store {",
        "+  async load(id: string): Promise<Row[]> {",
        plus(clears),
    ]


def test_lines_that_were_changed_near_one_another_are_one_unit() -> None:
    old = "func call() {\n\tcmd := run()\n\tcmd.Dir = root\n\treturn cmd\n}\n"
    new = "func call() {\n\tctx, cancel := limit()\n\tdefer cancel()\n\tcmd := run(ctx)\n\tcmd.Dir = root\n\treturn wait(cmd)\n}\n"
    assert units("a.go", old, new) == [
        " func call() {\n+\tctx, cancel := limit()\n+\tdefer cancel()\n+\tcmd := run(ctx)\n"
        " \tcmd.Dir = root\n-\treturn cmd\n+\treturn wait(cmd)\n }"
    ]


def test_a_statement_is_told_up_to_its_end() -> None:
    assert units("a.go", "\tif a {\n\t\told()\n\t}\n", "\tif a && b {\n\t\tnew()\n\t}\n") == ["+\tif a && b {\n+\t\tnew()\n \t}"]


def test_parts_of_a_long_change_are_units() -> None:
    first, second = "\n".join(f"- step: {n}" for n in range(12)), "\n".join(f"- check: {n}" for n in range(12))
    assert units("ci.yml", "", f"{first}\n\n{second}\n") == [plus(first), plus(second)]
    assert units("ci.yml", "", f"# Every step.\n{first}\n{second}\n") == ["+# Every step. … and 24 more lines"]


def test_words_about_what_follows_a_change_are_not_told_with_it() -> None:
    old = f"/**\n * Keys.\n */\nlet keys = 1;\n{BODY}\nsave(keys);\n"
    new = f"let age = 60;\n\n/**\n * Keys with an age.\n */\nlet keys = 1;\n{BODY}\nsave(keys, age);\n"
    changed = [line for line in marked(old, new) if line != "…"]
    filled = [*changed[:-2], *(f" step({n})" for n in range(USUAL.lines)), *changed[-2:]]
    assert sketch("a.ts", filled).split("\n\n") == ["+let age = 60;", "-save(keys);\n+save(keys, age);"]


def test_imports_and_words_alone_are_none() -> None:
    assert units("a.py", "import re\n", "import re\nimport json\n") == []
    assert units("a.py", "# The sum.\ndef total():\n", "# The sum of all.\ndef total():\n") == []


def test_words_that_took_the_place_of_code_are_one() -> None:
    assert units("a.py", "    total = sum(rows)\n    save(total)\n", "    # Saved by the caller.\n") == ["+    # Saved by the caller."]


def test_old_lines_are_told_where_the_change_is_one_line() -> None:
    assert units("a.sql", "SELECT a FROM b;\n", "SELECT a, c FROM b;\n") == ["-SELECT a FROM b;\n+SELECT a, c FROM b;"]
    assert units("a.sql", "SELECT a\nFROM b;\n", "SELECT c\nFROM d;\n") == ["+SELECT c\n+FROM d;"]
    assert units("a.py", "    t.parallel()\n", "") == ["-    t.parallel()"]


def test_what_is_taken_out_is_told_by_its_names() -> None:
    old = "def lanes(rows):\n    return len(rows)\n\n\ndef spacing(lane):\n    return lane * 2\n\n\nLIMIT = 3\n"
    assert units("a.py", old, "LIMIT = 3\n") == ["Taken out: lanes", "Taken out: spacing"]
    again = edited("src/a.py", "LIMIT = 3\n", "def lanes(rows):\n    return 1\n", 3)
    found = sketches(ASKED, edited("src/a.py", old, "LIMIT = 3\n"), again)
    assert found["src/a.py"] == ["Taken out: spacing", "", "+def lanes(rows):", "+    return 1"]
    own = edited("src/a.py", "def lanes(rows):\n    return len(rows)\n\n\n", "", 3)
    assert "lanes" not in "".join(sketches(ASKED, written("src/a.py", old), own)["src/a.py"]), "nobody had it before"


def test_a_later_edit_changes_the_unit_where_it_stands() -> None:
    usage = written("src/a.go", f"{USAGE}\nfunc total() int {{\n\treturn 0\n}}\n")
    field = edited("src/a.go", "\tInput int\n", "\tInput int64\n\tCached int\n")
    anew = edited("src/a.go", "func total() int {\n\treturn 0\n}\n", "func total(all bool) int {\n\treturn 1\n}\n", 3)
    told = plus(USAGE.replace("Input int", "Input int64\n\tCached int")).split("\n")
    assert sketches(ASKED, usage, field, anew)["src/a.go"] == [*told, "", "+func total(all bool) int {", "+\treturn 1", "+}"]


def test_unchanged_lines_of_a_unit_stay_unchanged() -> None:
    first = edited("src/a.go", "func total() int {\n\treturn 0\n}\n", "func total() int {\n\treturn 1\n}\n")
    later = edited("src/a.go", "func total() int {\n\treturn 1\n", "func total() int {\n\tlog(1)\n\treturn 1\n", 3)
    assert sketches(ASKED, first, later)["src/a.go"] == [" func total() int {", "+\tlog(1)", "+\treturn 1", " }"]


def test_a_line_that_may_stand_anywhere_is_no_place_for_others() -> None:
    first = written("src/a.go", "func total() int {\n\tlog(1)\n\treturn nil\n}\n")
    later = edited("src/a.go", "\tb()\n\treturn nil\n", "\tb()\n\tclose(rows)\n\treturn nil\n", 3)
    assert sketches(ASKED, first, later)["src/a.go"][-2:] == ["", "+\tclose(rows)"]


def test_of_a_document_only_points_are_units() -> None:
    plan = written("PLAN.md", "# Carts\n\n## Aim\n\nRound.\n\n## Steps\n\nOne.\n")
    later = edited("PLAN.md", "## Aim\n\nRound.\n", "## Goals\n\nRound once.\n\n## Limits\n")
    assert sketches(ASKED, plan, later)["PLAN.md"] == ["+# Carts", "", "+## Steps", "", "+## Goals", "", "+## Limits"]


def test_any_lines_are_taken_apart() -> None:
    words = (
        "if x {",
        "}",
        "  y = 1",
        "def foo(a):",
        "type T struct {",
        "class C:",
        "    def m(self):",
        "// words.",
        "__",
        "",
        "   ",
        "x = [",
    )
    chance = Random(7)
    for _ in range(3000):
        lines = [chance.choice("+++-- ") + chance.choice(words) for _ in range(chance.randrange(40))]
        assert all(unit and all(isinstance(line, str) for line in unit) for unit in units_of(lines))
        sketch("src/a.go", lines)
