"""What a call changes in files, and which words of a text changed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from continuity.rendering import changed_words
from continuity.rendering.edits import LINES, DiffLine, compared, edits_of
from continuity.templatetags.transcripts import file_edit, marked_words

SQL = "@@ -1,2 +1,2 @@\n--- old note\n+++ new note\n same\n"
GONE = "diff --git a/gone.py b/gone.py\ndeleted file mode 100644\n--- a/gone.py\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-one\n-two\n"
MOVED = "diff --git a/x.py b/y.py\nsimilarity index 100%\nrename from x.py\nrename to y.py\n"
PATCH = "*** Begin Patch\n*** Update File: a.py\n@@ def f\n-old\n+new\n same\n*** Add File: b.py\n+first\n*** End Patch"


def test_it_works():
    (edit,) = edits_of({"file_path": "a.py", "old_string": "a\nb", "new_string": "a\nc"})
    assert (edit.path, edit.added, edit.removed) == ("a.py", 1, 1)
    assert [f"{line.sign}{line.text}" for line in edit.lines] == [" a", "-b", "+c"]


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        (
            {"file_path": "a", "edits": [{"old_string": "x", "new_string": "y"}, {"old_string": "1", "new_string": ""}]},
            [("a", 1, 1), ("a", 0, 1)],
        ),
        ({"path": "a", "content": "x\ny"}, [("a", 2, 0)]),
        ({"input": PATCH}, [("a.py", 1, 1), ("b.py", 1, 0)]),
        ({"patch": "--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-a\n+b"}, [("x.py", 1, 1)]),
        ({"input": "*** Begin Patch\n*** Update File: a.sql\n@@\n--- old note\n+++ new note\n*** End Patch"}, [("a.sql", 1, 1)]),
        ({"patch": f"--- a/a.sql\n+++ b/a.sql\n{SQL}--- a/b.py\n+++ b/b.py\n@@ -1 +1 @@\n-a\n+b"}, [("a.sql", 1, 1), ("b.py", 1, 1)]),
        ({"patch": f"--- a/a.py\n+++ b/a.py\n@@ -1,9 +1,9 @@\n-a\n+b\n{GONE}"}, [("a.py", 1, 1), ("gone.py", 0, 2)]),
        ({"patch": "--- a/a\n+++ b/a\n@@ -1,9 +1,9 @@\n-a\n+b\n--- a/b\n+++ b/b\n@@ -1 +0,0 @@\n-b"}, [("a", 1, 1), ("b", 0, 1)]),
        ({"patch": MOVED + GONE}, [("y.py", 0, 0), ("gone.py", 0, 2)]),
        ({"input": f"{PATCH.removesuffix('*** End Patch')}*** Delete File: c.py"}, [("a.py", 1, 1), ("b.py", 1, 0), ("c.py", 0, 0)]),
        ({"command": "ls"}, []),
        ({"file_path": "a"}, []),
        ({"file_path": 3, "old_string": "a", "new_string": "b"}, []),
        ("text", []),
    ],
    ids=[
        "several",
        "whole",
        "patch",
        "unified",
        "comments",
        "unified comments",
        "git deletes",
        "miscounted",
        "git moves",
        "deletes",
        "command",
        "reading",
        "odd path",
        "no arguments",
    ],
)
def test_every_tools_changes_are_read(arguments, found):
    assert [(edit.path, edit.added, edit.removed) for edit in edits_of(arguments)] == found


@given(st.lists(st.sampled_from("abc"), max_size=30), st.lists(st.sampled_from("abc"), max_size=30))
def test_both_texts_can_be_read_from_what_is_shown(before, after):
    shown = compared("\n".join(before), "\n".join(after))
    assert [line.text for line in shown if line.sign != "+"] == "\n".join(before).splitlines()
    assert [line.text for line in shown if line.sign != "-"] == "\n".join(after).splitlines()


def test_long_ones_are_not_compared():
    assert compared("a\n" * (LINES + 1), "a")[-1] == DiffLine("+", "a")


@given(st.text("ab` \n", max_size=60), st.text("ab` \n", max_size=60))
def test_marked_words_give_both_texts_back(before, after):
    found = list(changed_words.runs(before, after))
    assert "".join(text for sign, text in found if sign != "+") == before
    assert "".join(text for sign, text in found if sign != "-") == after


def test_another_text_is_not_mixed_with_the_one_before():
    before, after = "Correction: split five months a night, not ten", "Go on with “Drop the way back after a week”"
    assert list(changed_words.runs(before, after)) == [("-", before), ("+", after)]
    assert str(marked_words(before, after)) == f"<del>{before}</del> <ins>{after}</ins>"
    assert [sign for sign, _ in changed_words.runs("Use Postgres 15 for the queue.", "Use Postgres 16 for the queue.")] == [
        " ",
        "-",
        "+",
        " ",
    ]


def test_each_line_of_a_change_is_one_element_of_it():
    """Also one that stays, in colours: what stands within the frame directly is as wide as that."""
    (edit,) = edits_of({"file_path": "a.py", "old_string": "assert gateway.sent\nx = 1", "new_string": "assert gateway.sent\nx = 2"})
    shown = file_edit(edit, True, False)
    rows = shown[shown.index(">") + 1 : shown.rindex("</pre>")].splitlines()
    assert [row.partition(">")[0] for row in rows] == [f'<span class="{name}"' for name in ("stays", "goes", "comes")]
    assert all(row.endswith("</span>") for row in rows)
    assert rows[0].count("<span") > 2
