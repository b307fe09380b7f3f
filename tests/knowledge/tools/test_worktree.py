"""The git working tree, as its status was first and last seen."""

from __future__ import annotations

import pytest

from continuity.knowledge.extractors.tools.worktree import LONGEST, NAMES, tree
from continuity.transcripts.base.model import Message
from tests.knowledge.talk import call, distil, ran, result

LONG = """On branch release/1.2
Your branch is ahead of 'origin/release/1.2' by 2 commits.
  (use "git push" to publish your local commits)

Changes to be committed:
  (use "git restore --staged <file>..." to unstage)
\tnew file:   cart/tax.py
\trenamed:    cart/a.py -> cart/b.py

Changes not staged for commit:
  (use "git add <file>..." to update what will be committed)
\tmodified:   cart/total.py
\tdeleted:    old.py

Untracked files:
\tnotes with space.md
"""
SHORT = "## main...origin/main [ahead 1, behind 2]\n M a.py\nA  b.py\nMM c.py\n?? d.py\nUU e.py\n!! f.py\nR  old.py -> new.py\n"


EXACT = """# branch.oid 0a1b2c3d4e5f60718293a4b5c6d7e8f901234567
# branch.head main
# branch.upstream origin/main
# branch.ab +2 -0
1 .M N... 100644 100644 100644 aaaa bbbb cart/total file.py
1 MM N... 100644 100644 100644 aaaa bbbb both.py
2 R. N... 100644 100644 100644 aaaa bbbb R100 new.py\told.py
u UU N... 100644 100644 100644 100644 aaaa bbbb cccc torn.py
? notes with space.md
! ignored.log
"""


def test_it_works() -> None:
    assert tree("On branch main\nnothing to commit, working tree clean\n") == "clean"


def test_the_long_form_is_read_by_its_sections() -> None:
    assert tree(LONG) == (
        "ahead of its upstream by 2; staged: cart/tax.py, cart/a.py -> cart/b.py; not staged: cart/total.py, old.py; "
        "untracked: notes with space.md"
    )


def test_the_short_form_is_read_by_its_columns() -> None:
    assert tree(SHORT) == (
        "ahead 1, behind 2 (origin/main); staged: b.py, c.py, old.py -> new.py; not staged: a.py, c.py; untracked: d.py; unmerged: e.py"
    )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", ""),
        ("## main...origin/main\n", "clean"),
        ("## main...origin/main [ahead 1]\n", "ahead 1 (origin/main); clean"),
        ("## No commits yet on main\n?? a.py\n", "untracked: a.py"),
        ("## main\n M a.py", "not staged: a.py"),
        (
            "Your branch is behind 'origin/main' by 3 commits, and can be fast-forwarded.\n\nnothing to commit",
            "behind its upstream by 3; clean",
        ),
        ("Your branch and 'origin/x' have diverged,\nand have 1 and 2 different commits each.\n", ""),
        ("Unmerged paths:\n\tboth modified:   c.py\n\tdeleted by us:   d.py\n", "unmerged: c.py, d.py"),
        ("Changes to be committed:\r\n\tnew file:   a.py\r\n", "staged: a.py"),
        ("downloading ...done\nsome other output\n", ""),
        ("# Notes\n## Install the package\n- step\n", ""),
    ],
)
def test_other_forms(text: str, told: str) -> None:
    assert tree(text).removeprefix("diverged from its upstream; clean").removeprefix("diverged from its upstream") == told


def test_a_diverged_branch_is_told() -> None:
    assert tree("Your branch and 'origin/x' have diverged,\nand have 1 and 2 different commits each.\n") == "diverged from its upstream"


def test_what_the_next_command_prints_is_no_file() -> None:
    text = "Untracked files:\n\tnew.py\n\nnothing added to commit but untracked files present\ncommit abc1234\n\tA subject\n"
    assert tree(text) == "untracked: new.py"


def test_many_files_are_counted_and_the_line_is_bounded() -> None:
    text = "".join(f"?? {'long' * 20}/{i}.py\n" for i in range(30))
    assert len(tree(text)) <= LONGEST
    assert tree("".join(f"?? {i}.py\n" for i in range(30))).endswith(f"{NAMES - 1}.py and 24 more")


def test_the_first_and_the_last_tree_are_kept() -> None:
    done = distil(ran("git status", LONG), ran("git status -s", " M a.py\n"), ran("git --no-pager status --short", "?? b.py\n"))
    assert [t.text for t in done.knowledge.situation.trees] == [tree(LONG), "untracked: b.py"]


def test_a_silent_short_status_is_a_clean_tree() -> None:
    done = distil(ran("git status --short", " M a.py\n"), ran("git -C . status --porcelain", ""))
    assert [t.text for t in done.knowledge.situation.trees] == ["not staged: a.py", "clean"]


def test_only_a_status_tells_the_tree() -> None:
    assert distil(ran("git log", LONG), ran("cat status.txt", LONG)).knowledge.situation.trees == ()


@pytest.mark.parametrize("unit", [".", "...", "## ", "?? ", "\t", "\n\t", "Your branch is ahead", "M", "...a [", " by 1"])
def test_hostile_output_ends(unit: str) -> None:
    assert len(tree(unit * (200_000 // len(unit)))) <= LONGEST


def test_the_second_machine_readable_form_is_read_by_its_entries() -> None:
    assert tree(EXACT) == (
        "ahead 2; staged: both.py, old.py -> new.py; not staged: cart/total file.py, both.py; "
        "untracked: notes with space.md; unmerged: torn.py"
    )
    assert tree("# branch.oid 0a1b2c3d\n# branch.head main\n# branch.ab +0 -0\n") == "clean"


def test_a_silent_second_form_is_a_clean_tree() -> None:
    assert [seen.text for seen in distil(*ran("git status --porcelain=v2", "")).knowledge.situation.trees] == ["clean"]


MERGING = 'On branch main\n\nAll conflicts fixed but you are still merging.\n  (use "git commit" to conclude merge)\n'


def under_way(*runs: tuple[Message, Message]) -> list[str]:
    return [run.result for run in distil(*runs).state.blocked.values()]


def test_a_merge_that_is_not_concluded_is_known_until_it_is() -> None:
    said = ["All conflicts fixed but you are still merging."]
    assert under_way(ran("git status", MERGING)) == said
    assert under_way(ran("git status", MERGING), ran("git diff --stat", "", call_id="c2")) == said
    assert under_way(ran("git status", MERGING), ran("git commit --no-edit", "[main abc1234] Merge", call_id="c2")) == []
    assert under_way(ran("git status", MERGING), ran("git status", "On branch main\nnothing to commit\n", call_id="c2")) == []
    assert under_way(ran("git status", "You are currently rebasing branch 'a' on '1234567'.\nUnmerged paths:\n\tboth modified: a\n")) == []


def test_what_git_shows_in_another_project_is_not_how_this_work_stands() -> None:
    here = ran("git status", "On branch rounding\nnothing to commit, working tree clean", call_id="c1")
    other = "cd /home/ada/tryout && git status", "On branch main\nYour branch is ahead of 'origin/main' by 1 commit."
    now = distil(here, ran(*other, call_id="c2")).knowledge.situation
    assert now.branch == "rounding" and "ahead" not in "".join(tree.text for tree in now.trees)
    edit = call("Edit", "e1", file_path="/home/ada/tryout/app.py", old_string="a = 1", new_string="a = 2"), result("Updated.", "e1")
    assert distil(here, edit, ran(*other, call_id="c2")).knowledge.situation.branch == "main"
    assert distil(here, ran("cd /home/ada && git status", "On branch main", call_id="c2")).knowledge.situation.branch == "main"
