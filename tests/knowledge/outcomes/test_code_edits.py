"""The newest edits of the unfinished step, as marked lines."""

from __future__ import annotations

import time

import pytest

from continuity.knowledge.evidence import CodeEdit
from continuity.knowledge.extractors.outcomes.code_edits import BODY, NEWEST
from continuity.knowledge.extractors.outcomes.marked_lines import fitted, marked, of_patch
from continuity.transcripts.base.model import Message
from handoffs.building.masking import masked
from tests.knowledge.talk import call, distil, harness, person, ran, result

ASKED = person("Fix the total of the cart.")
OLD = "def total(items):\n    result = 0\n    return result\n"
NEW = "def total(items):\n    result = sum(items)\n    return result\n"


def edits(*messages: Message | tuple[Message, ...]) -> list[CodeEdit]:
    return list(distil(ASKED, *messages).knowledge.situation.edits)


def edited(n: int = 1, old: str = OLD, new: str = NEW) -> tuple[Message, Message]:
    return call("Edit", f"e{n}", file_path=f"src/m{n}.py", old_string=old, new_string=new), result("ok", f"e{n}")


def test_it_works() -> None:
    assert edits(edited()) == [
        CodeEdit("src/m1.py", 2, " def total(items):\n-    result = 0\n+    result = sum(items)\n     return result")
    ]


def test_a_new_file_is_told_with_what_it_defines() -> None:
    made = edits(call("Write", "w", file_path="src/new.py", content=NEW), result("ok", "w", data={"type": "create"}))
    assert [(each.created, each.names, each.body.split("\n")[0]) for each in made] == [(True, ("total",), "+def total(items):")]


@pytest.mark.parametrize(
    "end", [ran("git commit -am x", "[main abc1234] x"), ran("pytest -q", "3 passed"), ran("ruff check .", "All checks passed!")]
)
def test_a_commit_or_a_passing_check_ends_the_step(end: tuple[Message, Message]) -> None:
    assert edits(edited(), end) == []
    assert [each.path for each in edits(edited(), end, edited(2))] == ["src/m2.py"]


def test_a_failing_check_does_not() -> None:
    assert len(edits(edited(), ran("pytest -q", "1 failed", 1))) == 1


def test_what_was_not_carried_out_is_no_edit() -> None:
    failed = call("Edit", "e9", file_path="a.py", old_string="a", new_string="b"), result("String not found", "e9", failed=True)
    refused = (
        call("Edit", "e8", file_path="a.py", old_string="a", new_string="b"),
        result("The user doesn't want to proceed", "e8", failed=True),
    )
    open_call = call("Edit", "e7", file_path="a.py", old_string="a", new_string="b"), harness("[Request interrupted by user]")
    assert edits(failed, refused, open_call) == []


def test_the_tools_own_patch_says_where() -> None:
    hunk = {"newStart": 12, "lines": [" a", " b", "-old", "+new", " c", " d"]}
    change = call("Edit", "e1", file_path="a.py", old_string="old", new_string="new"), result("ok", "e1", data={"structuredPatch": [hunk]})
    assert [(each.line, each.body) for each in edits(change)] == [(12, " b\n-old\n+new\n c")]


@pytest.mark.parametrize(("command", "path", "body"), [
    ("cat > src/a.py <<'EOF'\na = 1\nEOF", "src/a.py", "+a = 1"), ("sed -i '' 's/a/b/' src/a.py", "src/a.py", "$ sed -i  s/a/b/ src/a.py"),
    ("tee -a src/a.py <<EOF\na = 1\nEOF", "src/a.py", "+a = 1"),
    ("apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: src/a.py\n@@\n-a\n+b\n*** End Patch\nEOF", "src/a.py", "-a\n+b"),
])  # fmt: skip
def test_what_a_shell_writes(command: str, path: str, body: str) -> None:
    assert [(each.path, each.body) for each in edits(ran(command))] == [(path, body)]


def test_each_file_of_a_patch_is_told() -> None:
    patch = "*** Begin Patch\n*** Update File: a.py\n@@\n-a\n+b\n*** Add File: c.py\n+c\n*** End Patch"
    change = call("apply_patch", "p", input=patch), result("ok", "p")
    assert [(each.path, each.body) for each in edits(change)] == [("a.py", "-a\n+b"), ("c.py", "+c")]


def test_blocks_of_search_and_replacement() -> None:
    assert of_patch("<<<<<<< SEARCH\na\nb\n=======\na\nc\n>>>>>>> REPLACE") == [" a", "-b", "+c"]


def test_changes_in_several_places_are_set_off() -> None:
    two = [{"old_string": "a = 1", "new_string": "a = 2"}, {"old_string": "b = 1", "new_string": "b = 2"}]
    (several,) = edits((call("MultiEdit", "e", file_path="src/m.py", edits=two), result("ok", "e")))
    assert several.body.split("\n") == ["-a = 1", "+a = 2", "…", "-b = 1", "+b = 2"]
    hunks = of_patch("@@ -1,2 +1,2 @@\n-a = 1\n+a = 2\n c\n@@ -9,2 +9,2 @@\n d\n-b = 1\n+b = 2\n")
    assert hunks == ["-a = 1", "+a = 2", " c", "…", " d", "-b = 1", "+b = 2"]


def test_they_are_few_and_short_and_the_newest_is_whole() -> None:
    long = "\n".join(f"    line_{n} = compute({n})" for n in range(70))
    found = edits(*(edited(n, "x", long) for n in range(9)))
    assert [each.path for each in found] == [f"src/m{n}.py" for n in range(9 - len(found), 9)]
    assert 3 <= len(found) <= 6
    assert all(len(each.body) <= BODY for each in found[:-1])
    assert BODY < len(found[-1].body) <= NEWEST


def test_shortening_keeps_what_was_put_in_before_what_was_taken_out() -> None:
    lines = [*(f"-old {n}" for n in range(400)), "+decides"]
    short = fitted(lines, 300)
    assert short.endswith("+decides")
    assert len(short) <= 300
    assert "…" in short


def test_no_secret_is_told() -> None:
    key = "-----BEGIN RSA PRIVATE KEY-----\n" + "MIIEowIBAAKCAQEA1\n" * 90 + "-----END RSA PRIVATE KEY-----\n"
    found = masked(tuple(edits(edited(1, "x", f"password = 'hunter2hunter2x'\n{key}last = 1"))))
    assert "hunter2" not in found[0].body
    assert "MIIE" not in found[0].body
    assert "+last = 1" in found[0].body


def test_hostile_texts_take_no_time() -> None:
    started = time.perf_counter()
    marked("a\n" * 9000, "b\n" * 9000)
    marked("a\nb\n" * 8000, "b\na\n" * 8000)
    of_patch("+" * 500_000)
    of_patch("<<<<<<< SEARCH\n" * 20_000)
    assert len(fitted([f"+{'x' * 5000}"] * 4000, 900)) <= 900
    assert time.perf_counter() - started < 3
